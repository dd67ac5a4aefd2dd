/** Stripe says 429 as well when one object is in use by another request (`lock_timeout`): that is no wish to be left alone by everybody. */
import { randomUUID } from 'node:crypto';
import type { Rail, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';

const LOCKED = {
  status: 429,
  body: { error: { type: 'invalid_request_error', code: 'lock_timeout', message: 'This object cannot be accessed right now.' } },
};

describe('custodial_a, when Stripe says that one object is in use', () => {
  const clock = new FixedClock();
  let world: Awaited<ReturnType<typeof stripeWorld>>;
  let rail: CustodialARail;
  let asked: RailOrder;

  beforeEach(async () => {
    world = await stripeWorld(clock);
    rail = custodialA.create({
      ...{ store: memoryRailStores(clock)('custodial_a'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as CustodialARail;
    asked = testOrder(custodialA.traits, { currency: 'EUR', amountCents: 1_005, accountId: PAYEE });
  });
  afterEach(() => world.close?.());

  it('at the first call, all others go on', async () => {
    world.stripe.faults.ask({ effect: 'answer', match: { method: 'POST', path: '/v1/transfers' }, answer: LOCKED });
    expect((await rail.submit(asked)).kind).not.toBe('not_now');
  });

  it('on the account of one payee, all others go on', async () => {
    await rail.submit(asked);
    world.stripe.faults.ask({ effect: 'answer', match: { method: 'POST', path: '/v1/payouts' }, answer: LOCKED });
    const leg = { name: 'payout', key: randomUUID(), firstSentAt: clock.now() };
    expect((await rail.advance(asked, leg)).kind).not.toBe('not_now');
  });
});
