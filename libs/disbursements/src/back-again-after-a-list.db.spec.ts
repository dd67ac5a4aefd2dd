/**
 * What came back is out once more, of which the list alone tells, and an operator finds it at its payee: its rows are paid. Its bank sends it back
 * once more, which its rail says when it is asked. An earlier decision about what came back is no decision about that: its payee has nothing.
 */
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that came back, was listed as out once more, was called paid, and came back', () => {
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

  test.each(['a look-up (control)', 'the list alone'])('is named, if %s told of the time before', async (who) => {
    await scene.push(6_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('one');
    await world.drive(id);
    world.rail.answers = null;
    await scene.tells(await world.payout(id), CAME_BACK);
    const payout = await world.payout(id);
    expect(payout.status).toBe('returned');
    world.rail.moved = [movementOf(payout, 'out', 'one'), movementOf(payout, 'back', 'one')];
    await compare(world);
    // Out once more, and back: an operator closes that.
    await scene.tells(payout, settled('two'));
    await scene.tells(payout, CAME_BACK);
    world.rail.moved.push(movementOf(payout, 'out', 'two'), movementOf(payout, 'back', 'two'));
    await scene.resolve(payout, 'owed');
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
    // Out a third time: an operator finds it at its payee.
    world.rail.knows.set(payout.railKey, settled('three') as LookupFact);
    if (who !== 'the list alone') await scene.tells(payout, settled('three'));
    world.rail.moved.push(movementOf(payout, 'out', 'three'));
    await compare(world);
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    // Its bank sends it back.
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });
});
