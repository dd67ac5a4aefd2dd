/**
 * Lines are open about one payout: its money went out, and came back. Then the rail's list has it out once more, as another movement, and its
 * look-ups go on about the first one. That is no word about the second: whoever closes the lines is to know that it is out.
 */
import { movementOf, OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import type { OperateDrift } from './operate-drift';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that its list has as out once more, and of which look-ups say that the first came back', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let operate: OperateDrift;
  beforeAll(async () => {
    world = await startOwedWorld();
    operate = operateDriftIn(world);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
  });

  test('is still out, whatever else is said of the first, and who says that it came back is refused', async () => {
    const payout = await scene.refusedWithdrawal('permanent');
    for (const fact of [settled('one') as LookupFact, CAME_BACK]) await scene.tells(payout, fact);
    const said = async (): Promise<unknown[]> => (await scene.openDrift(payout)).map((line) => line.said);
    expect(await said()).toEqual(['back', 'back']);
    world.rail.moved = [
      movementOf(payout, 'out', 'one'),
      movementOf(payout, 'back', 'one'),
      movementOf(payout, 'out', 'two'),
    ];
    await compare(world);
    for (const { id } of await scene.openDrift(payout)) {
      const deed = operate.resolve('ada', id, { note: null, rows: 'owed', neverSeen: false, said: 'back' });
      await expect(deed).rejects.toMatchObject({ code: 'illegal_transition' });
    }
    expect(await said()).toEqual(['out', 'out']);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    world.rail.moved.push(movementOf(payout, 'back', 'two'));
    await compare(world);
    await scene.tells(payout, CAME_BACK);
    expect(new Set(await said())).toEqual(new Set(['back']));
  });
});
