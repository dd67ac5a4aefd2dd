/** As `out-again-twice`, when nobody has looked between two times: what is open says what is so now, and what is called paid is heard of. */
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { compare, watchReturns } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that came back, went out, came back and went out once more before anybody looked', () => {
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

  const cameBackOnce = async (payout: Payout): Promise<void> => {
    world.rail.answers = () => settled();
    await world.drive(payout.id);
    world.rail.answers = null;
    await scene.tells(payout, CAME_BACK);
    expect(await world.status(payout.id)).toBe('returned');
  };

  test('of a caller: what is open says that it is out', async () => {
    const payout = await world.pay(scene.client, scene.payee, 6_000);
    await cameBackOnce(payout);
    for (const fact of [settled(), CAME_BACK, settled()]) await scene.tells(payout, fact as LookupFact);
    expect(await scene.openDrift(payout)).toMatchObject([{ railCents: 12_000, liftingFeeCents: null }]);
  });

  test('of rows, called paid, and sent back by its bank: it is named, and its rows are owed again', async () => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    await cameBackOnce(payout);
    for (const fact of [settled(), CAME_BACK, settled()]) await scene.tells(payout, fact as LookupFact);
    // The operator finds it at its payee.
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0 }]);
    expect(await scene.resolve(payout, 'owed')).toBe(1);
    expect(await scene.balance()).toEqual({ withdrawableCents: 6_000, landedCents: 0 });
  });

  describe('rows that were called paid', () => {
    test('and whose notice is lost: they are watched as what is paid is', async () => {
      const other = await OwedScene.of(world, scene.client);
      const withdrawn = async (whose: OwedScene): Promise<Payout> => {
        await whose.push(6_000);
        const [payout] = (await whose.withdraw()) as [Payout];
        return payout;
      };
      const [payout, paid] = [await withdrawn(scene), await withdrawn(other)];
      await watchReturns(world, 'custodial_a');
      world.rail.answers = () => settled();
      await world.drive(paid.id);
      await cameBackOnce(payout);
      await scene.tells(payout, settled());
      expect(await scene.resolve(payout, 'paid')).toBe(1);
      // The banks of both send it back, and the notices of that are lost.
      for (const { railKey } of [payout, paid]) world.rail.knows.set(railKey, CAME_BACK);
      for (const ago of [601, 6 * 3_600, 86_400]) {
        await world.db.execute(
          `UPDATE payouts SET updated_at = updated_at - $1::int * interval '1 second' WHERE id = $2`,
          [ago, paid.id],
        );
        await world.db.execute(
          `UPDATE drift SET resolved_at = resolved_at - $1::int * interval '1 second' WHERE payout_id = $2`,
          [ago, payout.id],
        );
        await world.db.execute(
          `UPDATE rail_watches SET last_id = NULL, watched_until = watched_until - interval '2 days'`,
        );
        await watchReturns(world, 'custodial_a');
      }
      expect(await world.status(paid.id)).toBe('returned');
      expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0 }]);
    });

    test('and that are listed as out once more, after an operator decided about the time before: somebody is told', async () => {
      await scene.push(6_000);
      const [{ id }] = (await scene.withdraw()) as [Payout];
      await cameBackOnce(await world.payout(id));
      const payout = await world.payout(id);
      world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'it cannot tell' });
      world.rail.moved = [
        movementOf(payout, 'out', 'ref'),
        movementOf(payout, 'back', 'ref'),
        movementOf(payout, 'out', 'b'),
      ];
      await compare(world);
      expect(await scene.openDrift(payout)).toMatchObject([{ railCents: 12_000 }]);
      world.rail.moved.push(movementOf(payout, 'back', 'b'));
      await compare(world);
      await scene.resolve(payout, 'owed');
      world.rail.moved.push(movementOf(payout, 'out', 'c'));
      await compare(world);
      expect(await scene.openDrift(payout)).toHaveLength(1);
    });
  });
});
