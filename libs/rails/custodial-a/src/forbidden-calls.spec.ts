/** A call that Stripe forbids for one account keeps that payout back, and no other one. */
import { randomUUID } from 'node:crypto';
import type { RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock } from '#libs/rail-kit/testing';
import type { CustodialARail } from './custodial-a.rail';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail, type StripeWorld } from './open-rail.fake';

const PAYOUT = { method: 'POST', path: '/v1/payouts' };
const REVERSAL = { method: 'POST', path: '/v1/transfers/' };
const FORBIDDEN = { status: 403, body: { error: { type: 'invalid_request_error', message: 'Not for this account.' } } };
const EXPIRED = { status: 401, body: { error: { type: 'invalid_request_error', code: 'api_key_expired' } } };
const later = (leg: string) => ({ kind: 'accepted', next: { leg, afterSeconds: 3_600 } });

describe('custodial_a, when Stripe does not let us make a later call', () => {
  const clock = new FixedClock();
  let world: StripeWorld;
  let rail: CustodialARail;
  let asked: RailOrder;

  beforeEach(async () => {
    world = await stripeWorld(clock);
    rail = openRail(world, clock);
    asked = newOrder();
    await rail.submit(asked);
  });
  afterEach(() => world.close?.());

  const keys = new Map<string, string>();
  const leg = (name: string): Promise<SubmitAnswer> => {
    const key = keys.get(asked.railKey + name) ?? randomUUID();
    keys.set(asked.railKey + name, key);
    return rail.advance(asked, { name, key, firstSentAt: clock.now() });
  };

  it('for its account, the payout alone waits, and goes on once it may', async () => {
    world.stripe.faults.ask({ effect: 'answer', match: PAYOUT, answer: FORBIDDEN });
    expect(await leg('payout')).toMatchObject(later('payout'));
    expect(await leg('payout')).toMatchObject({ kind: 'accepted' });
    expect(world.stripe.payoutsOf(asked.railKey)).toHaveLength(1);
  });

  it('it waits on the way back as well', async () => {
    world.stripe.destines(asked.railKey, 'account_closed');
    await leg('payout');
    world.stripe.faults.ask({ effect: 'answer', match: REVERSAL, answer: FORBIDDEN });
    expect(await leg('pull_back')).toMatchObject(later('pull_back'));
    expect(await leg('pull_back')).toMatchObject({ kind: 'refused', failure: 'permanent' });
  });

  it('with a key that counts no more, all others wait too', async () => {
    world.stripe.faults.ask({ effect: 'answer', match: PAYOUT, answer: EXPIRED });
    expect(await leg('payout')).toMatchObject({ kind: 'not_now' });
  });
});
