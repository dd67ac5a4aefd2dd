/** To the cent, in currencies of no, two and three decimals, however large: as far as the traits say that the rail takes it. */
import { type Check, expectOnItsWay } from '../check';
import { servedCurrencies, takenAmounts } from '../order';

/** 115, 435 and 1999 are the classics: as 19.99 in floating point it is a little less than it should be, and 1005 a little more. */
const AMOUNTS = [1, 99, 115, 435, 1_005, 1_999, 12_345, 100_001, 99_999_999_999];

export const MONEY: Check[] = [
  {
    title: 'amounts are exact to the minor unit in every kind of currency the rail serves',
    needs: ['settle'],
    run: async (bench) => {
      const currencies = servedCurrencies(bench.traits);
      expect(currencies).not.toEqual([]);
      for (const currency of currencies) {
        for (const amountCents of takenAmounts(bench.traits, currency, AMOUNTS)) {
          const order = await bench.arrange('settle', { currency, amountCents });
          const fact = await bench.submit(order);
          expectOnItsWay(fact);
          expect(await bench.movements(order)).toEqual([{ amountCents, currency }]);
          if ('echo' in fact && fact.echo) expect(fact.echo).toEqual({ amountCents, currency });
        }
      }
    },
  },
];
