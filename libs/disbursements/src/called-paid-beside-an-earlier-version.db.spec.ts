/**
 * Two versions side by side: migration 74 was applied, and an operator calls a payout paid at a process of the version before, which goes on beside it
 * and leaves `accepted_attempt` as it was.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled, thenDo } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows in legs that an operator calls paid at a process of the version before, beside this one', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('are sent no call that their rail asks for still', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    world.rail.says({ first: thenDo('payout', 600) });
    const [{ id }] = (await scene.withdraw()) as [Payout];
    await world.drive(id);
    const payout = await world.payout(id);
    expect([payout.status, payout.acceptedAttempt]).toEqual(['submitted', 1]);
    // Its rail lists it under another name: somebody has to look, and meanwhile no call is made.
    await scene.isListed(payout, 'another');
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    // What the version before writes with that decision, after this version migrated the database.
    await world.db.execute('UPDATE payouts SET accepted_attempt = 1 WHERE id = $1', [id]);
    world.rail.says({ first: thenDo('payout'), payout: settled() });
    await scene.tells(payout, thenDo('payout'));
    await world.drive(id).catch(() => null); // without a call to make it has no job
    expect(world.rail.callsOf(id)).toEqual(['first']);
  });
});
