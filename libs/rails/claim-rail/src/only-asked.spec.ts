/** PayPal is asked about a payment in doubt by sending it again. Not about one that is at rest, nor with another account. */
import type { Rail, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };
const NO_FUNDS = { name: 'INSUFFICIENT_FUNDS', message: 'no.', debug_id: '1' };
const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
const ELSEWHERE = { ...AT_REST, movesNothing: 'sent_elsewhere' } as const;

describe('claim_rail, asked about what it must not move', () => {
  const clock = new FixedClock();
  const worlds: Awaited<ReturnType<typeof paypalWorld>>[] = [];
  let store: ReturnType<ReturnType<typeof memoryRailStores>>;
  let asked: RailOrder;

  beforeEach(() => {
    store = memoryRailStores(clock)('claim_rail');
    asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
  });
  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close?.())));

  /** The rail as it is bound to an account of its own. */
  async function account() {
    const world = await paypalWorld(clock);
    worlds.push(world);
    const rail: Rail = claimRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: world.settings,
    });
    const payments = (): string[] => world.paypal.sentAs(asked.railKey).map(({ status }) => status);
    return { rail, payments, faults: world.paypal.faults };
  }

  it('sends nothing that failed, and that a process began to send before it froze', async () => {
    const { rail, payments, faults } = await account();
    faults.ask({ effect: 'answer', match: CREATE, answer: { status: 422, body: NO_FUNDS } });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    // It counted its call, slept, and woke up when its time was over.
    expect(await rail.submit(asked, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'unknown' });
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
    expect(payments()).toEqual([]);
  });

  it('sends nothing of which it hears right before that it must not be any more', async () => {
    const { rail, payments, faults } = await account();
    faults.ask({ effect: 'cut_before', match: CREATE });
    await rail.submit(asked);
    const { signal } = AT_REST;
    expect(await rail.lookup(asked, { signal, isStopped: async () => true })).toMatchObject({ kind: 'unknown' });
    expect(payments()).toEqual([]);
    await rail.lookup(asked, { signal, isStopped: async () => false });
    expect(payments()).toEqual(['UNCLAIMED']);
  });

  it('pays nothing once more with another account, and says that this one knows nothing of it', async () => {
    const [one, other] = [await account(), await account()];
    one.faults.ask({ effect: 'cut_after', match: CREATE });
    expect(await one.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await other.rail.lookup(asked, ELSEWHERE)).toEqual({ kind: 'never_seen' });
    expect([one.payments(), other.payments()]).toEqual([['UNCLAIMED'], []]);
  });

  it('says so too of a batch that the other account named, and knows it again once that is bound again', async () => {
    const [one, other] = [await account(), await account()];
    await one.rail.submit(asked);
    expect(await other.rail.lookup(asked, ELSEWHERE)).toEqual({ kind: 'never_seen' });
    expect(await one.rail.lookup(asked, ELSEWHERE)).toMatchObject({ kind: 'awaiting_payee' });
  });
});
