/** Wallets as clients and operators read them. */
import { ApiProperty } from '@nestjs/swagger';
import { availableCents, ENTRY_TYPES, type EntryType, type Wallet, type WalletEntry } from '../wallet';

const cents = (description: string, example: number) => ({ type: 'integer', description, example }) as const;

export class WalletView {
  @ApiProperty({ description: 'ISO 4217.', example: 'USD' }) currency: string;
  @ApiProperty(cents('Deposits and adjustments.', 500_000)) depositedCents: number;
  @ApiProperty(cents('Requested, authorized or submitted.', 2_500)) inFlightCents: number;
  @ApiProperty(cents('Paid.', 100_000)) paidCents: number;
  @ApiProperty(cents('What payouts can still draw on: lifting fees of returns are taken off too.', 397_500))
  availableCents: number;
}

export function walletView(wallet: Wallet): WalletView {
  const { currency, depositedCents, inFlightCents, paidCents } = wallet;
  return { currency, depositedCents, inFlightCents, paidCents, availableCents: availableCents(wallet) };
}

export class WalletEntryView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ enum: ENTRY_TYPES, example: 'deposit' }) type: EntryType;
  @ApiProperty({ description: 'ISO 4217.', example: 'USD' }) currency: string;
  @ApiProperty(cents('Negative only for an adjustment.', 500_000)) amountCents: number;
  @ApiProperty({ description: "The operator's own, once per client.", example: 'bank-2026-11-21-0007' })
  reference: string;
  @ApiProperty({ type: String, nullable: true, example: 'Top-up of November' }) note: string | null;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export function walletEntryView(entry: WalletEntry): WalletEntryView {
  const { id, type, currency, amountCents, reference, note, createdAt } = entry;
  return { id, type, currency, amountCents, reference, note, createdAt: createdAt.toISOString() };
}
