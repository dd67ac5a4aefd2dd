/** What callers read of owed rows, of withdrawals and of balances. */
import { ApiProperty } from '@nestjs/swagger';
import { DISBURSEMENT_STATUSES, type DisbursementStatus, PUSH_ERRORS, type RowError } from '#libs/domain';
import type { ClaimLinks } from '#libs/claim-links';
import type { Disbursement } from '#libs/owed';
import type { Released } from '../use-cases/release-owed';

const nullableText = { type: String, nullable: true } as const;
const added = { 'x-addition': true };
const number = (description: string) => ({ type: 'integer', description, example: 0 }) as const;

export class DisbursementView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty({ ...nullableText, format: 'email', description: "The payee's address.", example: 'ada@example.com' })
  email: string | null;
  @ApiProperty({ type: 'integer', description: 'Minor units of the currency.', example: 2500 }) amountCents: number;
  @ApiProperty({ description: 'ISO 4217.', example: 'USD' }) currency: string;
  @ApiProperty({ enum: DISBURSEMENT_STATUSES, description: 'Follows the payout it is on.', example: 'owed' })
  status: DisbursementStatus;
  @ApiProperty({ description: "The caller's ledger id.", example: 'royalty-2026-03-42' }) externalRef: string;
  @ApiProperty({
    ...nullableText,
    format: 'uuid',
    description: 'The payout it is on now, or was on last.',
    ...added,
  })
  transactionId: string | null;
  @ApiProperty({ ...nullableText, example: 'March royalties', ...added }) reason: string | null;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ format: 'date-time', ...added }) updatedAt: string;
}

export function disbursementView(row: Disbursement): DisbursementView {
  const { id, payeeId, email, amountCents, currency, status, externalRef, transactionId, reason } = row;
  return {
    ...{ id, payeeId, email, amountCents, currency, status, externalRef, transactionId, reason },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export class DisbursementPage {
  @ApiProperty({ type: [DisbursementView] }) data: DisbursementView[];
  @ApiProperty({ ...nullableText, description: 'Give it back as `cursor`; null on the last page.' })
  nextCursor: string | null;
}

export class PushedRowView {
  @ApiProperty({ type: 'integer', description: 'The place of the row in the request.', example: 0 }) index: number;
  @ApiProperty({ enum: ['ok', 'error'], example: 'ok' }) status: 'ok' | 'error';
  @ApiProperty({ type: DisbursementView, required: false, description: 'On ok.' }) disbursement?: DisbursementView;
  @ApiProperty({
    required: false,
    description: 'On ok: the row was there already, whatever this one says; compare it.',
    example: false,
  })
  idempotentReplay?: boolean;
  @ApiProperty({ enum: PUSH_ERRORS, required: false, description: 'On error.', example: 'payee_not_found' })
  error?: RowError;
  @ApiProperty({ required: false, description: 'On error, in words that may change.', ...added }) message?: string;
}

export class PushView {
  @ApiProperty({ type: [PushedRowView], description: 'One for each row, in order.' }) results: PushedRowView[];
}

export class RecoveryLinkView {
  @ApiProperty({ format: 'uuid' }) replacementTransactionId: string;
  @ApiProperty({ type: 'integer', description: 'How many rows this call linked.', example: 3 }) linked: number;
  @ApiProperty({ type: [String], format: 'uuid' }) disbursementIds: string[];
  @ApiProperty({ description: 'The rows were linked to this payout already.', example: false })
  idempotentReplay: boolean;
}

export class WithdrawView {
  @ApiProperty(number('Owed rows that are on a payout under way, or paid.')) released: number;
  @ApiProperty(number('What those rows come to, in minor units of each currency, added up.')) releasedCents: number;
  @ApiProperty(number("Rows left owed: the client's wallet does not cover them.")) awaitingFunding: number;
  @ApiProperty(number('Rows on a payout that is held.')) held: number;
  @ApiProperty(number('Rows whose payout failed; they are owed again.')) failed: number;
  @ApiProperty({
    required: false,
    description: 'Where the payee claims the money, on a rail with claim links.',
    example: 'https://claim.example/c/8f4e',
  })
  payoutLink?: string;
}

/** Every owed row stands in one of the four counts. */
export function withdrawView({ payouts, rows, awaitingFunding }: Released, links: ClaimLinks): WithdrawView {
  const view: WithdrawView = { released: 0, releasedCents: 0, awaitingFunding, held: 0, failed: 0 };
  for (const { id, status, amountCents, claimUrl } of payouts) {
    const count = rows.get(id)?.rows ?? 0;
    if (status === 'held' || status === 'failed') {
      view[status] += count;
      continue;
    }
    view.released += count;
    view.releasedCents += amountCents;
    const link = links.shown(claimUrl, id);
    if (link !== null) view.payoutLink ??= link;
  }
  return view;
}

export class BalanceView {
  @ApiProperty(number('Owed, and not released yet.')) withdrawableCents: number;
  @ApiProperty(number('On its way to the payee.')) onTheWayCents: number;
  @ApiProperty(number('Waits for the payee to claim or withdraw it.')) actionNeededCents: number;
  @ApiProperty(number('All that ever arrived, and was not sent back.')) landedCents: number;
  @ApiProperty(number("Held only because it is under the rail's floor.")) heldBelowMinimumCents: number;
  @ApiProperty(number('The floor that the held money must reach.')) minPayoutCents: number;
  @ApiProperty({ ...nullableText, description: 'The rail the payee resolves to now.', example: 'mock' })
  provider: string | null;
  @ApiProperty({ description: 'The currency of all amounts here.', example: 'USD' }) currency: string;
}
