/** USDC is counted in millionths of a dollar, as decimal text. Whole numbers only: nothing here is divided into fractions. */
import { ourAmount, providerAmount, type RailOrder, type RailTraits } from '#libs/rail-kit';

const CURRENCY = 'USD';
const DIGITS = 6;

export const AMOUNTS: NonNullable<RailTraits['amounts']> = { [CURRENCY]: { digits: DIGITS } };

/** Such as `10.050000`; null if it is nothing that can be sent. */
export function usdcOf({ amountCents, currency }: Pick<RailOrder, 'amountCents' | 'currency'>): string | null {
  const amount = currency === CURRENCY ? providerAmount({ amountCents, currency }, DIGITS) : null;
  return amount && amount.units > 0n ? amount.decimal : null;
}

export const centsOf = (usdc: string): number | null => ourAmount(usdc, CURRENCY, DIGITS);

/** How much is in a wallet, without the fraction of a cent, which cannot be paid. */
export function wholeCentsOf(usdc: string): number | null {
  const [, whole, fraction = ''] = /^([0-9]{1,15})(?:\.([0-9]*))?$/.exec(usdc) ?? [];
  return whole === undefined ? null : Number(whole + fraction.slice(0, 2).padEnd(2, '0'));
}

/** To the nearest cent: fees of a blockchain are told in small parts of one. null if Circle told none. */
export function feeCentsOf(fees: readonly (string | undefined)[]): number | null {
  const parts = fees.flatMap((fee) => millionthsOf(fee) ?? []);
  if (parts.length === 0) return null;
  const sum = parts.reduce((total, each) => total + each, 0n);
  return Number((sum + 5_000n) / 10_000n);
}

function millionthsOf(fee: string | undefined): bigint | null {
  const [, whole, fraction = ''] = /^([0-9]{1,12})(?:\.([0-9]*))?$/.exec(fee ?? '') ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'));
}
