/** An account was opened in the time that a restored database lost, for a payee who is made again since, under another id of ours. */
import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/rail-kit/testing';
import { stripeWorld } from './custodial-a.world.fake';
import { openRail } from './open-rail.fake';

describe('custodial_a, that opens an account for a payee who was made again after a restore', () => {
  it('finds the one that was opened before, or opens another one, and does not wait for a day', async () => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    try {
      const payee = { id: randomUUID(), externalId: 'ada', email: 'ada@example.com', name: 'Ada', country: 'DE' };
      // The key follows from what their client calls them.
      const key = `opening-${randomUUID()}`;
      expect(await openRail(world, clock).openAccount({ key, payee })).toMatchObject({ kind: 'opened' });
      clock.advance(700);
      const again = { key, payee: { ...payee, id: randomUUID() } };
      expect(await openRail(world, clock).openAccount(again)).toMatchObject({ kind: 'opened' });
    } finally {
      await world.close?.();
    }
  });
});
