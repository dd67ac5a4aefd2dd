/** What Stripe forbids for the account of one payee, and answers for the platform a moment before, is that account's trouble alone. */
import { randomUUID } from 'node:crypto';
import type { Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';

const FORBIDDEN = { status: 403, body: { error: { type: 'invalid_request_error', message: 'Not for this account.' } } };

it('custodial_a, tried again, does not close the lane of everybody when Stripe forbids to look into one account', async () => {
  const clock = new FixedClock();
  const world = await stripeWorld(clock);
  const rail = custodialA.create({
    ...{ store: memoryRailStores(clock)('custodial_a'), clock, log: new RecordingLog(), deployment: 'spec' },
    ...{ hint: async () => undefined, settings: world.settings },
  }) as Rail as CustodialARail;
  try {
    const asked = testOrder(custodialA.traits, { currency: 'EUR', amountCents: 1_005, accountId: PAYEE });
    world.stripe.destines(asked.railKey, 'could_not_process');
    await rail.submit(asked);
    for (const name of ['payout', 'pull_back'])
      await rail.advance(asked, { name, key: randomUUID(), firstSentAt: clock.now() });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'transient' });
    world.stripe.faults.ask({ effect: 'answer', match: { method: 'GET', path: '/v1/payouts' }, answer: FORBIDDEN });
    expect(await rail.submit(asked)).not.toMatchObject({ failure: 'credentials' });
  } finally {
    await world.close?.();
  }
});
