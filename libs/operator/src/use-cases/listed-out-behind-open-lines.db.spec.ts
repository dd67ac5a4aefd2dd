/**
 * Lines are open about one payout: its money went out, and came back. Then the rail's list has it out once more, as another movement, and its
 * look-ups go on about the first one. An operator who reads the lines after that, and says what they read, did not read that it is out.
 */
import { movementOf, OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { driftView } from '../http/work.dto';
import type { OperateDrift } from './operate-drift';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that only its list has as out once more, behind open lines', () => {
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

  test('is what was said last, and its rows do not leave by a word about what was said before', async () => {
    const payout = await scene.refusedWithdrawal('permanent');
    for (const fact of [settled('one') as LookupFact, CAME_BACK]) await scene.tells(payout, fact);
    expect((await scene.openDrift(payout)).map(({ said }) => said)).toEqual(['back', 'back']);
    // Its list, which was late, has a second payment too; its look-ups speak of the first one.
    world.rail.moved = [
      movementOf(payout, 'out', 'one'),
      movementOf(payout, 'back', 'one'),
      movementOf(payout, 'out', 'two'),
    ];
    await compare(world);
    const lines = (await scene.openDrift(payout)).map(driftView);
    for (const { id, said } of lines)
      await operate
        .resolve('ada', id, { note: null, rows: 'owed', neverSeen: false, said: said ?? undefined })
        .catch(() => null);
    const left = await scene.outcome();
    expect({ said: lines.map(({ said }) => said), left }).toEqual({
      said: ['out', 'out'],
      left: 'nothing_to_withdraw',
    });
  });
});
