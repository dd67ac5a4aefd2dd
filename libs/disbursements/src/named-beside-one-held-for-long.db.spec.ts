/**
 * As `named-beside-a-held-payout`, but somebody else held the second payout too, for a moment, and the first one for longer than anybody waits for a lock
 * (a process that stands still in a transaction): that keeps the second one from being named no longer than for that wait (1; ADR 72).
 */
import { holding, waitedFor } from '#libs/db/testing';
import type { Payout } from '#libs/payout-rules';
import type { MoneyWorld } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('two payouts that failed, are listed as moved, and are held', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('are named as they are let go, each for itself', async () => {
    const client = await world.client();
    const failed = async (): Promise<[OwedScene, Payout]> => {
      const scene = await OwedScene.of(world, client);
      return [scene, await scene.clearedWithdrawal(6_000)];
    };
    const [sceneOfLong, long] = await failed();
    const [scene, brief] = await failed();
    await compare(world);
    world.rail.moved = [long, brief].map((payout) => movementOf(payout, 'out', 'late'));
    const held = ({ id }: Payout) => holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const [letLongGo, letBriefGo] = [await held(long), await held(brief)];
    const comparison = compare(world).then(
      () => null,
      (error: Error & { code?: string }) => error.code,
    );
    await waitedFor(world.db, 'payouts', 'id = $1', [long.id]);
    await letBriefGo();
    expect(await comparison).toBe('55P03');
    expect([await sceneOfLong.openDrift(long), await scene.openDrift(brief)]).toEqual([[], [expect.anything()]]);
    await letLongGo();
    await compare(world);
    expect(await sceneOfLong.openDrift(long)).toHaveLength(1);
  }, 60_000);
});
