/** Older records do not say which rounds went on. The first look at all of them ends in the middle: Adyen wants to be left alone. */
import { memoryRailStores } from '#libs/rail-kit/testing';
import type { RailOrder, RailRecord, RailStore } from '#libs/rail-kit';
import { PaymentBench } from './payment-bench.fake';

describe('custodial_b, of books that contradict themselves about a round of an earlier version', () => {
  let bench: PaymentBench;
  let asked: RailOrder;
  beforeEach(async () => {
    bench = await PaymentBench.open();
    asked = bench.order();
  });
  afterEach(() => bench.close());

  async function isSentBack(reference: string): Promise<void> {
    bench.newRound();
    await bench.rail.submit(asked);
    bench.adyen.destines(reference, { until: 'authorised', fails: 'counterpartyBankUnavailable' });
    await bench.leg(asked, 'payout');
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
  }

  async function waitsForFunds(tries: number): Promise<void> {
    bench.adyen.fund('EUR', 0);
    for (let nth = 0; nth < tries; nth += 1) {
      bench.clock.advance(3_600);
      expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused' });
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    }
    bench.adyen.fund('EUR', 100_000);
  }

  it.each([
    ['the new one', (record: RailRecord) => record],
    ['one that did not say up to where it had looked', ({ bookedUpTo: _, ...record }: RailRecord) => record],
  ])(
    'sends no other round, though a look of %s was put off once it had found the first that went on',
    async (_, wrote) => {
      const store = memoryRailStores(bench.clock)('custodial_b');
      bench.rail = bench.anotherProcess({}, ofBefore(store));
      await isSentBack(asked.railKey);
      await waitsForFunds(6);
      await isSentBack(`${asked.railKey}.8`);
      await waitsForFunds(6);
      // It writes down that the first one was booked; the next question is put off.
      const putsOff = { effect: 'too_many', match: { method: 'GET', path: '/btl/v4/transfers' }, seconds: 1 } as const;
      const update: RailStore['update'] = async <T extends RailRecord>(key: string, change: (now: T) => T) => {
        const now = await store.update<T>(key, (each) => wrote(change(each)) as T);
        bench.adyen.faults.ask(putsOff);
        return now;
      };
      bench.rail = bench.anotherProcess(
        {},
        { ...ofBefore(store), claimFor: (...asked) => store.claimFor(...asked), update },
      );
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'not_now' });
      bench.adyen.faults.clear();
      bench.rail = bench.anotherProcess({}, store);
      // The bank had the money of the eighth round after all: the last one that it was sent.
      const banks = bench.adyen.banksOf(asked.railKey);
      expect(banks.map(({ reference }) => reference)).toEqual([asked.railKey, `${asked.railKey}.8`]);
      for (const bank of banks.slice(1)) bank.status = 'booked';
      expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      expect(bench.out(asked)).toBe(0);
    },
  );
});

/** As an earlier version wrote them. */
function ofBefore(store: RailStore): RailStore {
  const without = <T extends RailRecord>({ booked: _, bookedUpTo: __, ...record }: T): T => record as RailRecord as T;
  return {
    claim: (key, value) => store.claim(key, value),
    claimFor: (payoutId, key, value) => store.claimFor(payoutId, key, without(value)),
    read: (key) => store.read(key),
    update: (key, change) => store.update(key, (now) => without(change(now))),
    list: (since) => store.list(since),
  };
}
