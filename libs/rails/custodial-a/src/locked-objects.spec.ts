/** Stripe says 429 as well when one object is in use by another request (`lock_timeout`): that is no wish to be left alone by everybody. */
import { randomUUID } from 'node:crypto';
import type { RailOrder } from '#libs/rail-kit';
import { FixedClock } from '#libs/rail-kit/testing';
import type { CustodialARail } from './custodial-a.rail';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail, type StripeWorld } from './open-rail.fake';

const error = {
  type: 'invalid_request_error',
  code: 'lock_timeout',
  message: 'This object cannot be accessed right now.',
};
const LOCKED = { status: 429, body: { error } };
const RATE_LIMITED = { status: 429, body: { error: { ...error, code: 'rate_limit' } } };
const TRANSFER = { method: 'POST', path: '/v1/transfers' };
const PAYOUT = { method: 'POST', path: '/v1/payouts' };

describe('custodial_a, when Stripe says that one object is in use', () => {
  const clock = new FixedClock();
  let world: StripeWorld;
  let rail: CustodialARail;
  let asked: RailOrder;
  /** Of the calls that got through, in their order: those of the first try. */
  let keys: unknown[];

  beforeEach(async () => {
    keys = [];
    world = await stripeWorld(clock, ({ headers }) => {
      if (headers['idempotency-key'] !== undefined) keys.push(headers['idempotency-key']);
    });
    rail = openRail(world, clock);
    asked = newOrder();
  });
  afterEach(() => world.close?.());

  const leg = { name: 'payout', key: randomUUID(), firstSentAt: clock.now() };
  const struck = (match: object, answer = LOCKED): void => world.stripe.faults.ask({ effect: 'answer', match, answer });

  it('at the first call, all others go on, and the same call is made again', async () => {
    struck(TRANSFER);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await rail.lookup(asked)).toEqual({ kind: 'never_seen' });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'accepted' });
    expect(keys).toEqual([asked.railKey]);
  });

  it('on the account of one payee, all others go on, and the same call is made again', async () => {
    await rail.submit(asked);
    struck(PAYOUT);
    expect(await rail.advance(asked, leg)).toMatchObject({ kind: 'unknown' });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'accepted', next: { leg: 'payout' } });
    await rail.advance(asked, leg);
    expect(keys).toEqual([asked.railKey, leg.key]);
    expect(world.stripe.payoutsOf(asked.railKey)).toHaveLength(1);
  });

  it('as it is asked, all others go on', async () => {
    struck({ method: 'GET', path: TRANSFER.path });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  it('leaves Stripe alone where it wants that', async () => {
    struck(TRANSFER, RATE_LIMITED);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'not_now' });
  });
});
