/**
 * A payout was taken on as 'one', and refused; later its rail says that it moved as 'two'. An operator has that pulled back, finds that it is on its
 * way, and says that the rows are owed: they leave as another payout. The list has 'two' as out and back; and then it has 'one' as out too: what was
 * refused moved after all. That is money that nobody decided about, also if the database's clock was ahead when they did, and was set right since.
 */
import { movementOf, OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { driftView } from '../http/work.dto';
import { operateDriftIn } from './operate-drift.fake';

describe('money under the reference that was refused, and that only a list has', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([
    ['one', 0],
    ['one', 20],
    ['three', 0],
    ['three', 20],
  ])('is named: %s, decided by a clock that was ahead by %i minutes', async (reference, ahead) => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => accepted('one');
    await world.drive(id);
    world.rail.answers = null;
    await world.age(id, 60);
    await scene.tells(await world.payout(id), refused('permanent') as LookupFact);
    const payout = await world.payout(id);
    expect([payout.status, payout.providerRef]).toEqual(['failed', 'one']);

    await scene.tells(payout, settled('two') as LookupFact);
    for (const { id: line, said } of (await scene.openDrift(payout)).map(driftView))
      await operateDriftIn(world).resolve('ada', line, {
        ...{ note: 'recalled', rows: 'owed', neverSeen: false, said: said ?? undefined },
      });
    const [next] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('another');
    await world.drive(next.id);
    expect(await world.status(next.id)).toBe('paid');

    await world.db.execute(
      `UPDATE drift SET resolved_at = resolved_at + $2::interval, said_at = said_at + $2::interval WHERE payout_id = $1`,
      [payout.id, `${ahead} minutes`],
    );
    world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'no answer' });
    world.rail.moved = [movementOf(payout, 'out', 'two'), movementOf(payout, 'back', 'two')];
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
    world.rail.moved = [...world.rail.moved, movementOf(payout, 'out', reference)];
    for (let n = 0; n < 3; n += 1) {
      await compare(world);
      await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '6 minutes'`, []);
    }
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });
});
