/** A transfer was pulled back, and made once more, in the time that a restored database lost: Stripe knows the key of the call of before. */
import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/rail-kit/testing';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail } from './open-rail.fake';

describe('custodial_a, of a database that was restored', () => {
  /** The core comes to the same key again: it follows from the code, the name of the call and the round. */
  it('pays the next transfer out though the same call was turned away of the one before', async () => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    try {
      const asked = newOrder();
      const leg = (name: string, key: string) => ({ name, key, firstSentAt: clock.now() });
      const [payout, pullBack] = [randomUUID(), randomUUID()];
      const before = openRail(world, clock);
      expect(await before.submit(asked)).toMatchObject({ kind: 'accepted', next: { leg: 'payout' } });
      const { books } = world.stripe;
      books.becomes(books.account(PAYEE), 'pending');
      expect(await before.advance(asked, leg('payout', payout))).toMatchObject({ next: { leg: 'pull_back' } });
      expect(await before.advance(asked, leg('pull_back', pullBack))).toMatchObject({ kind: 'refused' });
      books.becomes(books.account(PAYEE), 'verified');
      // The backup is of before all of this. Our own records are lost, and somebody has it tried again.
      clock.advance(700);
      const restored = openRail(world, clock);
      expect(await restored.submit(asked)).toMatchObject({ kind: 'refused' });
      expect(await restored.submit(asked)).toMatchObject({ kind: 'accepted', next: { leg: 'payout' } });
      expect(await restored.advance(asked, leg('payout', payout))).not.toMatchObject({ kind: 'unknown' });
    } finally {
      await world.close?.();
    }
  });
});
