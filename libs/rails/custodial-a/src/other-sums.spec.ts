/** What Stripe shows of the payout to the bank counts as an answer only if it is of what was asked for, as with the transfer. */
import { randomUUID } from 'node:crypto';
import type { Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';

describe('custodial_a, when Stripe shows another sum than it was asked to pay out', () => {
  it.each([
    ['less', { units: 5 }],
    ['another currency', { currency: 'huf' }],
  ])('is not paid when the bank was sent %s', async (_, shown) => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    const rail = custodialA.create({
      ...{ store: memoryRailStores(clock)('custodial_a'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as CustodialARail;
    const asked = testOrder(custodialA.traits, { currency: 'EUR', amountCents: 1_005, accountId: PAYEE });
    await rail.submit(asked);
    await rail.advance(asked, { name: 'payout', key: randomUUID(), firstSentAt: clock.now() });
    const [payout] = world.stripe.payoutsOf(asked.railKey);
    Object.assign(payout ?? {}, shown);
    const { kind } = await rail.lookup(asked);
    await world.close?.();
    expect(kind).toBe('unknown');
  });
});
