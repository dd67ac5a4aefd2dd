/** What was sent a moment ago may be listed late. At rest nobody sends it once more under its key, so what is not listed yet is not called missing. */
import type { RailOrder } from '#libs/rail-kit';
import { FixedClock } from '#libs/rail-kit/testing';
import type { CustodialARail } from './custodial-a.rail';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail, type StripeWorld } from './open-rail.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
const EMPTY = { status: 200, body: { object: 'list', url: '/v1/transfers', data: [], has_more: false } };

describe('custodial_a, while Stripe does not list yet what was sent', () => {
  let clock: FixedClock;
  let world: StripeWorld;
  let rail: CustodialARail;
  let asked: RailOrder;

  beforeEach(async () => {
    clock = new FixedClock();
    world = await stripeWorld(clock);
    rail = openRail(world, clock);
    asked = newOrder();
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
