/**
 * An operator called a payout paid, having paid it by hand, while its rail had taken it on and asked for the call to the bank. The version before left
 * `accepted_attempt` as it was then, so what it wrote looked like what the rail settled itself, until migration 74.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled, thenDo } from '#libs/payouts/testing';
import { dataSourceOptions, migrate } from '#libs/db';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows in legs that an operator called paid in an earlier version', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
  });

  const isUpgraded = async (id: string): Promise<void> => {
    await world.db.execute('UPDATE payouts SET accepted_attempt = 1 WHERE id = $1', [id]);
    await world.db.execute('DELETE FROM migrations WHERE timestamp >= 1763600000074');
    await migrate(dataSourceOptions({ url: world.proxy.url, poolSize: 2, onPoolError: () => undefined }));
  };

  test.each(['as this version leaves it', 'as the version before left it'])(
    'are sent no call that their rail asks for still (%s)',
    async (which) => {
      await scene.push(6_000);
      world.rail.says({ first: thenDo('payout', 600) });
      const [{ id }] = (await scene.withdraw()) as [Payout];
      await world.drive(id);
      const payout = await world.payout(id);
      expect([payout.status, payout.acceptedAttempt]).toEqual(['submitted', 1]);
      // Its rail lists it under another name: somebody has to look, and meanwhile no call is made.
      await scene.isListed(payout, 'another');
      expect(await scene.resolve(payout, 'paid')).toBe(1);
      expect(await world.payout(id)).toMatchObject({ status: 'paid', acceptedAttempt: null });
      if (which.startsWith('as the version before')) await isUpgraded(id);
      world.rail.says({ first: thenDo('payout'), payout: settled() });
      await scene.tells(payout, thenDo('payout'));
      await world.drive(id).catch(() => null); // without a call to make it has no job
      expect(world.rail.callsOf(id)).toEqual(['first']);
    },
  );
});
