/** An order as the core would send it, on a railKey of its own. */
import { randomUUID } from 'node:crypto';
import { minorUnitDigits, type RailOrder, type RailTraits, servesCurrency } from '#libs/rail-kit';

const USUAL = ['USD', 'EUR', 'JPY', 'KWD', 'GBP', 'KRW', 'BHD'];

export function testOrder(traits: RailTraits, changes: Partial<RailOrder> = {}): RailOrder {
  const id = randomUUID();
  return {
    railKey: `key-${id}`,
    payoutId: id,
    amountCents: 12_345,
    currency: servedCurrencies(traits)[0] ?? 'USD',
    payee: {
      id: randomUUID(),
      externalId: `ext-${id}`,
      email: `payee.${id}@example.org`,
      name: `Ada Testperson ${id.slice(0, 8)}`,
      country: traits.countries === '*' ? 'DE' : (traits.countries[0] ?? 'DE'),
    },
    accountId: null,
    reason: null,
    ...changes,
  };
}

/** One currency for each number of decimals that the rail serves. */
export function servedCurrencies(traits: RailTraits): string[] {
  const served = [...USUAL, ...(traits.currencies === '*' ? [] : traits.currencies)].filter((currency) =>
    servesCurrency(traits, currency),
  );
  const firstOfDigits = new Map([...served].reverse().map((currency) => [minorUnitDigits(currency), currency]));
  return [...firstOfDigits.values()].reverse();
}
