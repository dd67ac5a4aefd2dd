/** Words and amounts as letters have them. */
import { minorUnitDigits } from '#libs/domain';

/** Names come from outside: what would break a line or a header becomes a space, what turns the writing round is left out. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_C}+/gu, '')
    .trim();

export function amount(cents: number, currency: string): string {
  const digits = minorUnitDigits(currency);
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${currency} ${new Intl.NumberFormat('en', options).format(cents / 10 ** digits)}`;
}
