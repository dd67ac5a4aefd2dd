/** Which amounts a rail takes, and how its provider writes them. Integers only: nothing here is divided into fractions. */
import { minorUnitDigits } from '#libs/domain';
import type { RailTraits } from './traits';

/** In our minor units, all but the digits. What is left out sets no limit. */
export interface AmountRule {
  /** Stands for the rail's floor in this currency, and no client's own floor is lower. */
  leastCents?: number;
  mostCents?: number;
  /** An amount is a multiple of it. */
  stepCents?: number;
  /** The decimals that the provider counts in, if they are not those of ISO 4217. */
  digits?: number;
}

/** The same amount as the provider counts it: its smallest units, and as text such as `10.05`. */
export interface ProviderAmount {
  units: bigint;
  decimal: string;
}

type WithAmounts = Pick<RailTraits, 'amounts'>;

/** In how many decimals the provider counts this currency. */
export function providerDigits(traits: WithAmounts, currency: string): number {
  return ruleOf(traits, currency).digits ?? minorUnitDigits(currency);
}

/** Our minor units as the provider's amount. null: they do not fit into its decimals, or are no amount, and nothing may be sent. */
export function providerAmount(
  { amountCents, currency }: { amountCents: number; currency: string },
  digits: number = minorUnitDigits(currency),
): ProviderAmount | null {
  if (!Number.isSafeInteger(amountCents) || amountCents < 0) return null;
  const more = digits - minorUnitDigits(currency);
  const factor = powerOfTen(Math.abs(more));
  const cents = BigInt(amountCents);
  if (more < 0 && cents % factor !== 0n) return null;
  const units = more < 0 ? cents / factor : cents * factor;
  return { units, decimal: decimalOf(units, digits) };
}

/** Our amount for the provider's, which is text such as `10.05`, or in its smallest units. null: not an amount that we can represent. */
export function ourAmount(
  told: string | bigint,
  currency: string,
  digits: number = minorUnitDigits(currency),
): number | null {
  const [, whole, fraction = ''] = DECIMAL.exec(typeof told === 'bigint' ? decimalOf(told, digits) : told) ?? [];
  const ours = minorUnitDigits(currency);
  if (whole === undefined || !/^0*$/.test(fraction.slice(ours))) return null;
  const cents = Number(whole + fraction.slice(0, ours).padEnd(ours, '0'));
  return Number.isSafeInteger(cents) ? cents : null;
}

/** The least that the rail takes in this currency; null if its floor says all. */
export const leastOf = (traits: WithAmounts, currency: string): number | null =>
  ruleOf(traits, currency).leastCents ?? null;

/** The step that amounts must be a multiple of; the provider's decimals count too. */
export function stepOf(traits: WithAmounts, currency: string): number {
  const { stepCents = 1 } = ruleOf(traits, currency);
  const fewer = Math.max(0, minorUnitDigits(currency) - providerDigits(traits, currency));
  return leastCommonMultiple(stepCents, Number(powerOfTen(fewer)));
}

/** Why the rail does not take an amount, however long one waits; null if it does. */
export function amountComplaint(traits: WithAmounts, amountCents: number, currency: string): string | null {
  const { mostCents = Number.MAX_SAFE_INTEGER } = ruleOf(traits, currency);
  if (amountCents > mostCents) return `${amountCents} is over ${mostCents}`;
  const step = stepOf(traits, currency);
  return amountCents % step === 0 ? null : `${amountCents} is no multiple of ${step}`;
}

const DECIMAL = /^([0-9]{1,17})(?:\.([0-9]{1,30}))?$/;

const ruleOf = ({ amounts }: WithAmounts, currency: string): AmountRule =>
  amounts && Object.hasOwn(amounts, currency) ? (amounts[currency] ?? {}) : {};

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

function decimalOf(units: bigint, digits: number): string {
  if (digits === 0) return String(units);
  const text = String(units).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function leastCommonMultiple(a: number, b: number): number {
  const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
  return (a / divisor(a, b)) * b;
}
