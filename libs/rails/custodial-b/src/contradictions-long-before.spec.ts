/** The same as of the round before the last one, of one that was over more rounds ago: a payout that waits for funds makes one for each try. */
import { memoryRailStores } from '#libs/rail-kit/testing';
import type { RailOrder, RailRecord, RailStore } from '#libs/rail-kit';
import { PaymentBench } from './payment-bench.fake';

describe('custodial_b, of books that contradict themselves about a round long before the last one', () => {
  let bench: PaymentBench;
  let asked: RailOrder;

  beforeEach(async () => {
    bench = await PaymentBench.open();
    asked = bench.order();
  });
  afterEach(() => bench.close());

  /** The bank does not take it, and it comes back. */
  async function isSentBack(reference = asked.railKey): Promise<void> {
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

  async function expectNothingSent(): Promise<void> {
    bench.bankOf(asked).status = 'booked';
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(bench.out(asked)).toBe(0);
  }

  it.each([6, 30])('sends no other round, after %i of them', async (rounds) => {
    await isSentBack();
    await waitsForFunds(rounds);
    await expectNothingSent();
  });

  it('sends no other round if another one was sent back since', async () => {
    await isSentBack();
    await waitsForFunds(6);
    await isSentBack(`${asked.railKey}.8`);
    await waitsForFunds(6);
    await expectNothingSent();
  });

  it('goes on to the next round if the books agree with themselves', async () => {
    await isSentBack();
    await waitsForFunds(6);
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'accepted', next: { leg: 'payout' } });
  });

  it('looks at more of them where records of before do not say which ones went on', async () => {
    const store = memoryRailStores(bench.clock)('custodial_b');
    bench.rail = bench.anotherProcess({}, ofBefore(store));
    await isSentBack();
    await waitsForFunds(6);
    bench.rail = bench.anotherProcess({}, store);
    await expectNothingSent();
  });
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
