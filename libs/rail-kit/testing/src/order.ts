/** An order as the core would send it, on a railKey of its own: in a currency and of an amount that the rail's traits take. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  amountComplaint,
  leastOf,
  minorUnitDigits,
  providerDigits,
  type RailOrder,
  type RailTraits,
  servesCountry,
  servesCurrency,
  stepOf,
} from '#libs/rail-kit';

const USUAL = ['USD', 'EUR', 'JPY', 'KWD', 'GBP', 'KRW', 'BHD'];
const USUAL_COUNTRY = 'DE';

/** All codes of owed rows of one payee begin alike: a rail that keeps less of a code takes one for another. */
const ALIKE = 'gw0123456789abcdef';

/** A code as the core makes it, in its form and length. */
export const testKey = (): string => `${ALIKE}${randomBytes(16).toString('hex')}`;

export function testOrder(traits: RailTraits, changes: Partial<RailOrder> = {}): RailOrder {
  const id = randomUUID();
  const currency = changes.currency ?? servedCurrencies(traits)[0] ?? 'USD';
  return {
    railKey: testKey(),
    payoutId: id,
    amountCents: takenNear(traits, currency, 12_345),
    currency,
    payee: {
      id: randomUUID(),
      externalId: `ext-${id}`,
      email: `payee.${id}@example.org`,
      name: `Ada Testperson ${id.slice(0, 8)}`,
      country: countryFor(traits, currency),
    },
    payeeKey: testKey(),
    payerName: `Payer ${id.slice(0, 8)}`,
    accountId: null,
    reason: null,
    ...changes,
  };
}

/** One currency for each way of counting: its decimals, those of the provider, and its step. */
export function servedCurrencies(traits: RailTraits): string[] {
  const { countries, currencies } = traits;
  const lines = typeof countries === 'object' ? Object.values(countries) : [];
  const named = [currencies, ...lines].flatMap((names) => (names === '*' ? [] : names));
  const served = [...USUAL, ...named, ...Object.keys(traits.amounts ?? {})].filter((currency) =>
    servesCurrency(traits, currency),
  );
  const wayOf = (currency: string): string =>
    [minorUnitDigits(currency), providerDigits(traits, currency), stepOf(traits, currency)].join();
  const firstOfWay = new Map([...served].reverse().map((currency) => [wayOf(currency), currency]));
  return [...firstOfWay.values()].reverse();
}

/** The least and the most that the rail takes, and what it takes of these amounts or near them. */
export function takenAmounts(traits: RailTraits, currency: string, amounts: readonly number[]): number[] {
  const step = stepOf(traits, currency);
  const least = leastOf(traits, currency) ?? step;
  const most = traits.amounts?.[currency]?.mostCents;
  return [...new Set([least, ...amounts, ...(most ? [most] : [])].map((cents) => takenNear(traits, currency, cents)))];
}

/** Another amount that the rail takes as well. */
export function otherAmount(traits: RailTraits, { amountCents, currency }: RailOrder): number {
  const more = amountCents + stepOf(traits, currency);
  return amountComplaint(traits, more, currency) === null ? more : amountCents - stepOf(traits, currency);
}

function takenNear(traits: RailTraits, currency: string, cents: number): number {
  const step = stepOf(traits, currency);
  const upTo = traits.amounts?.[currency]?.mostCents ?? cents;
  const least = Math.ceil((leastOf(traits, currency) ?? 1) / step) * step;
  const below = Math.min(cents, upTo);
  return Math.max(least, below - (below % step));
}

function countryFor(traits: RailTraits, currency: string): string {
  const { countries } = traits;
  if (countries === '*') return USUAL_COUNTRY;
  const named = (Array.isArray(countries) ? countries : Object.keys(countries)) as readonly string[];
  const serving = [USUAL_COUNTRY, ...named].filter(
    (country) => country !== '*' && servesCountry(traits, country) && servesCurrency(traits, currency, country),
  );
  return serving[0] ?? USUAL_COUNTRY;
}
