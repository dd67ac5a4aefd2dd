/** A name that PayPal used up is followed by the next one while nobody was told what came of it, however many were used up. */
import type { Rail, RailOrder, RailStore } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };

describe('the names of a payout of claim_rail', () => {
  const clock = new FixedClock();
  let world: Awaited<ReturnType<typeof paypalWorld>>;
  let store: RailStore;
  let asked: RailOrder;

  beforeEach(async () => {
    world = await paypalWorld(clock);
    store = memoryRailStores(clock)('claim_rail');
    asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
    world.paypal.register(asked.payee.email ?? '');
    has(1_000);
  });
  afterEach(() => world.close?.());

  const has = (cents: number): void => void (world.paypal.state.balances.USD = cents);
  const payments = (): string[] => world.paypal.sentAs(asked.railKey).map(({ status }) => status);

  function process(records = store): Rail {
    return claimRail.create({
      ...{ store: records, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: world.settings,
    });
  }

  /** It counts its call, and sleeps before it makes it. */
  function sleeper() {
    let [wakes, sleeps] = [(): void => undefined, (): void => undefined];
    const woken = new Promise<void>((resolve) => (wakes = resolve));
    const fallsAsleep = new Promise<void>((resolve) => (sleeps = resolve));
    const update: RailStore['update'] = async (key, change) => {
      const now = await store.update(key, change);
      sleeps();
      await woken;
      return now;
    };
    const records: RailStore = {
      claim: (key, value) => store.claim(key, value),
      claimFor: (payoutId, key, value) => store.claimFor(payoutId, key, value),
      read: (key) => store.read(key),
      list: (since) => store.list(since),
      update,
    };
    return { rail: process(records), fallsAsleep, wakes: () => wakes() };
  }

  it('are gone through to the last one that PayPal has, where our own records are lost', async () => {
    const rail = process();
    for (const cents of [1_000, 100_000]) {
      await rail.submit(asked);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      has(cents);
    }
    await rail.submit(asked);
    expect(payments()).toEqual(['SUCCESS', 'DENIED', 'DENIED']);
    store = memoryRailStores(clock)('claim_rail');
    // Called refused, its rows could leave under another code.
    expect(await process().submit(asked)).toMatchObject({ kind: 'settled' });
    expect(payments()).toEqual(['SUCCESS', 'DENIED', 'DENIED']);
  });

  it('end with the one of which somebody was told that it came to nothing', async () => {
    world.paypal.faults.ask({ effect: 'cut_before', match: CREATE });
    expect(await process().submit(asked)).toMatchObject({ kind: 'unknown' });
    clock.advance(61);
    const late = sleeper();
    const slow = late.rail.submit(asked);
    await late.fallsAsleep;
    await process().lookup(asked);
    expect(await process().lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    // Its rows may be on another payout by now.
    has(100_000);
    late.wakes();
    expect(await slow).toMatchObject({ kind: 'unknown' });
    expect(payments()).toEqual(['DENIED']);
    expect(await process().lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
  });

  it('are begun by no question: its payee may be blocked by now', async () => {
    world.paypal.faults.ask({ effect: 'cut_after', match: CREATE });
    expect(await process().submit(asked)).toMatchObject({ kind: 'unknown' });
    clock.advance(61);
    has(100_000);
    expect(await process().lookup(asked)).toEqual({ kind: 'never_seen' });
    expect(payments()).toEqual(['DENIED']);
    await process().submit(asked);
    expect(payments()).toEqual(['SUCCESS', 'DENIED']);
  });
});
