/** Tremendous says amounts as numbers of JSON. They are read and written as text: nothing is counted in floating point. */
import { type Echo, ourAmount, providerAmount } from '#libs/rail-kit';

/** null: it cannot be said so that it reads the same. */
export function denominationOf(money: { amountCents: number; currency: string }): number | null {
  const decimal = providerAmount(money)?.decimal;
  if (decimal === undefined) return null;
  const denomination = Number(decimal);
  return centsOf(denomination, money.currency) === money.amountCents ? denomination : null;
}

/** null: it is no amount of that currency. */
export const centsOf = (told: number, currency: string): number | null => ourAmount(String(told), currency);

/** null: it is none. */
export function moneyOf(told: number, currency: string): Echo | null {
  if (!/^[A-Z]{3}$/.test(currency)) return null;
  const amountCents = centsOf(told, currency);
  return amountCents === null ? null : { amountCents, currency };
}
