/** Stripe shows another account than was asked for by its id: how that one stands is written to the one that was asked about. */
import type { AccountRequest } from '#libs/rail-kit';
import { FixedClock, testOrder } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import { stripeWorld } from './custodial-a.world.fake';
import { openRail } from './open-rail.fake';

describe('custodial_a, when Stripe shows another account than was asked for', () => {
  it('does not say how the other one stands', async () => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    try {
      const rail = openRail(world, clock);
      const payee = { ...testOrder(custodialA.traits).payee, country: 'DE' };
      const opened = await rail.openAccount({ key: 'account-1', payee } satisfies AccountRequest);
      if (opened.kind !== 'opened') throw new Error(opened.kind);
      expect(await rail.readAccount(opened.accountId)).toMatchObject({ kind: 'account', payable: false });
      const body = {
        ...{ id: 'acct_of_somebody_else', country: 'DE', payouts_enabled: true, details_submitted: true, metadata: {} },
        ...{ capabilities: { transfers: 'active' }, settings: { payouts: { schedule: { interval: 'manual' } } } },
      };
      const match = { method: 'GET', path: `/v1/accounts/${opened.accountId}` };
      world.stripe.faults.ask({ effect: 'answer', match, answer: { status: 200, body } });
      expect(await rail.readAccount(opened.accountId)).not.toMatchObject({ payable: true });
    } finally {
      world.stripe.faults.clear();
      await Promise.resolve(world.close?.()).catch(() => undefined);
    }
  });
});
