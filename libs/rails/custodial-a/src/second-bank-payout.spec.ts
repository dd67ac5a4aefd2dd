/**
 * Stripe turned a payout to the bank away for lack of funds in the payee's account, paid the next one, and carries the first one out after all, out of
 * what lies there for another payout: the bank has it twice. It is told as what both come to (ADR 130, as of two drains of swap_rail): the core takes
 * nothing else for news of what is paid, and the lists of this rail (movements) show the platform's account alone.
 */
import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/rail-kit/testing';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail } from './open-rail.fake';

const HOUR = 3_600;

describe('custodial_a, when what Stripe turned away is paid out after all', () => {
  it('tells what both payouts of a transfer come to', async () => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    const rail = openRail(world, clock);
    const asked = newOrder();
    const leg = { name: 'payout', key: randomUUID(), firstSentAt: clock.now() };
    const { balances } = world.stripe.books.account(PAYEE);
    try {
      await rail.submit(asked);
      balances.eur = 1_004; // it owed Stripe something
      expect(await rail.advance(asked, leg)).toMatchObject({ kind: 'accepted', next: { leg: 'payout' } });
      balances.eur = 10_000;
      clock.advance(HOUR);
      await rail.advance(asked, leg);
      const [payout] = world.stripe.payoutsOf(asked.railKey);
      if (!payout) throw new Error('There is none.');
      Object.assign(payout, { status: 'paid', paidAt: clock.now().toISOString() });
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled', echo: { amountCents: 1_005 } });
      world.stripe.shown().payouts.push({ ...structuredClone(payout), id: 'po_firstofthem' });
      const { amountCents, currency } = asked;
      expect(world.stripe.payoutsOf(asked.railKey)).toHaveLength(2);
      const both = { kind: 'settled', echo: { amountCents: 2 * amountCents, currency } };
      expect(await rail.lookup(asked)).toMatchObject(both);
    } finally {
      await world.close?.();
    }
  });
});
