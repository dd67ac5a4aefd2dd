/** What was sent a moment ago may be listed late. At rest nobody sends it once more under its key, so what is not listed yet is not called missing. */
import type { Rail, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
const EMPTY = { status: 200, body: { object: 'list', url: '/v1/transfers', data: [], has_more: false } };

describe('custodial_a, while Stripe does not list yet what was sent', () => {
  let clock: FixedClock;
  let world: Awaited<ReturnType<typeof stripeWorld>>;
  let rail: CustodialARail;
  let asked: RailOrder;

  beforeEach(async () => {
    clock = new FixedClock();
    world = await stripeWorld(clock);
    rail = custodialA.create({
      ...{ store: memoryRailStores(clock)('custodial_a'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as CustodialARail;
    asked = testOrder(custodialA.traits, { currency: 'EUR', amountCents: 1_005, accountId: PAYEE });
  });
  afterEach(() => world.close?.());

  const listsNothing = (): void =>
    world.stripe.faults.ask({ effect: 'answer', match: { method: 'GET', path: '/v1/transfers' }, answer: EMPTY });

  it('cannot tell of what is at rest for ten minutes, and then says that it never saw it', async () => {
    await rail.submit(asked);
    for (const [seconds, kind] of [
      [46, 'unknown'],
      [500, 'unknown'],
      [60, 'never_seen'],
    ] as const) {
      clock.advance(seconds);
      listsNothing();
      expect((await rail.lookup(asked, AT_REST)).kind).toBe(kind);
    }
  });

  it('says so at once of what may still be sent under its key, and of what never was', async () => {
    expect(await rail.lookup(asked, AT_REST)).toEqual({ kind: 'never_seen' });
    await rail.submit(asked);
    listsNothing();
    expect(await rail.lookup(asked)).toEqual({ kind: 'never_seen' });
  });
});
