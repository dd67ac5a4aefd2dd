/** What Stripe forbids for the account of one payee, and answers for the platform a moment before, is that account's trouble alone. */
import { randomUUID } from 'node:crypto';
import type { RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock } from '#libs/rail-kit/testing';
import type { CustodialARail } from './custodial-a.rail';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail, type StripeWorld } from './open-rail.fake';

const PAYOUTS = { method: 'GET', path: '/v1/payouts' };
const EVENTS = { method: 'GET', path: '/v1/events' };
const FORBIDDEN = { status: 403, body: { error: { type: 'invalid_request_error', message: 'Not for this account.' } } };
const EXPIRED = { status: 401, body: { error: { type: 'invalid_request_error', code: 'api_key_expired' } } };

describe('custodial_a, as a payout is tried again', () => {
  const clock = new FixedClock();
  let world: StripeWorld;
  let rail: CustodialARail;
  let asked: RailOrder;

  const leg = (name: string): Promise<SubmitAnswer> =>
    rail.advance(asked, { name, key: randomUUID(), firstSentAt: clock.now() });

  beforeEach(async () => {
    world = await stripeWorld(clock);
    rail = openRail(world, clock);
    asked = newOrder();
    world.stripe.destines(asked.railKey, 'could_not_process');
    await rail.submit(asked);
    for (const name of ['payout', 'pull_back']) await leg(name);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'transient' });
  });
  afterEach(() => world.close?.());

  it.each([
    ['payouts', PAYOUTS],
    ['events', EVENTS],
  ])('does not close the lane of everybody when Stripe forbids to look into one account: its %s', async (_, match) => {
    world.stripe.faults.ask({ effect: 'answer', match, answer: FORBIDDEN });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(world.stripe.transfersOf(asked.railKey)).toHaveLength(1);
    // Once it may be seen again, it goes on.
    expect(await rail.submit(asked)).toMatchObject({ kind: 'accepted', next: { leg: 'payout' } });
  });

  it('closes the lane when Stripe does not know our key', async () => {
    world.stripe.faults.ask({ effect: 'answer', match: PAYOUTS, answer: EXPIRED });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'credentials' });
  });
});
