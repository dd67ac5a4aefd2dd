/**
 * A question finds out by sending (ADR 82), and has no number of its own as sends have. One that was begun while the first call was under way
 * stands still before it counts its own; PayPal turns the first call away meanwhile, and everybody hears that nothing is there.
 */
import type { Rail, RailOrder, RailStore } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };

describe('a question about a payout of claim_rail that is being sent', () => {
  const clock = new FixedClock();
  let world: Awaited<ReturnType<typeof paypalWorld>>;
  let store: RailStore;
  let asked: RailOrder;

  beforeEach(async () => {
    world = await paypalWorld(clock);
    store = memoryRailStores(clock)('claim_rail');
    asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
    world.paypal.register(asked.payee.email ?? '');
  });
  afterEach(() => world.close?.());

  function process(records = store): Rail {
    return claimRail.create({
      ...{ store: records, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: world.settings,
    });
  }

  /** It sleeps before or after the first record that it changes. */
  function sleeper(when: 'before' | 'after') {
    let [wakes, sleeps] = [(): void => undefined, (): void => undefined];
    const woken = new Promise<void>((resolve) => (wakes = resolve));
    const fallsAsleep = new Promise<void>((resolve) => (sleeps = resolve));
    const asleep = async (): Promise<void> => {
      sleeps();
      await woken;
    };
    const records: RailStore = {
      claim: (key, value) => store.claim(key, value),
      claimFor: (payoutId, key, value) => store.claimFor(payoutId, key, value),
      read: (key) => store.read(key),
      list: (since) => store.list(since),
      update: async (key, change) => {
        if (when === 'before') await asleep();
        const now = await store.update(key, change);
        if (when === 'after') await asleep();
        return now;
      },
    };
    return { rail: process(records), fallsAsleep, wakes: () => wakes() };
  }

  it('sends nothing once that call was turned away, and was said to be all that there was', async () => {
    const sender = sleeper('after');
    const sent = sender.rail.submit(asked);
    await sender.fallsAsleep; // its call is counted, and on its way to PayPal
    const asker = sleeper('before');
    const question = asker.rail.lookup(asked);
    await asker.fallsAsleep;

    world.paypal.faults.ask({
      effect: 'answer',
      match: CREATE,
      answer: { status: 422, body: { name: 'INSUFFICIENT_FUNDS', message: 'no.', debug_id: 'd3bu9' } },
    });
    sender.wakes();
    expect(await sent).toMatchObject({ kind: 'refused', failure: 'funding' });
    // Its payout has failed: its rows leave with others, under another code.
    expect(await process().lookup(asked, { signal: new AbortController().signal, movesNothing: 'at_rest' })).toEqual({
      kind: 'never_seen',
    });

    asker.wakes();
    await question;
    expect(world.paypal.sentAs(asked.railKey)).toEqual([]);
  });
});
