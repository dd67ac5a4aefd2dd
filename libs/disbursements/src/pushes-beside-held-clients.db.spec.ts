/**
 * Three clients whose balances are held for long, as by the clocks of test clients: what they push waits, and keeps no other client's
 * push waiting (ADR 127). Once the balances are free, each row is there once.
 */
import { holding, waitedFor } from '#libs/db/testing';
import type { MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('pushes of three clients whose balances are held', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  const owed = async (): Promise<OwedScene> => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(1_000);
    return scene;
  };
  test('keep no other client’s waiting, and are done once', async () => {
    const held = [await owed(), await owed(), await owed()];
    const other = await owed();
    const ids = held.map(({ payee }) => payee.id);
    const letGo = await holding(world.db, 'SELECT FROM balances WHERE payee_id = ANY($1) FOR NO KEY UPDATE', [ids]);
    const ended: string[] = [];
    const waiting = held.map((scene) => scene.push(6_000).then((id) => ended.push(id)));
    world.later(Promise.allSettled(waiting));
    await waitedFor(world.db, 'balances', 'payee_id = ANY($1)', [ids]);
    await other.push(6_000);
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(waiting);
    for (const scene of [other, ...held]) expect(await scene.balance()).toMatchObject({ withdrawableCents: 7_000 });
  });
});
