/**
 * An operator decides about an open line by what the rail says by then, which may be another thing than when the line was found. If the rail says
 * otherwise later, that is news, whatever was decided about the line.
 */
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('what a rail says once an operator decided about what it had said before', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
  });
  const resolveAll = async (payout: Payout, rows: 'owed' | 'paid'): Promise<void> => {
    while ((await scene.openDrift(payout)).length > 0) await scene.resolve(payout, rows);
  };

  test('it settled what it had refused, refused that again, and the line was closed; it is out again: its rows stay', async () => {
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    await scene.tells(payout, refused('permanent'));
    await resolveAll(payout, 'owed');
    world.rail.knows.set(payout.railKey, settled());
    const outcome = await scene.outcome();
    expect({ outcome, open: (await scene.openDrift(payout)).length }).toEqual({
      ...{ outcome: 'nothing_to_withdraw', open: 1 },
    });
  });

  test('it came back, was out, back and out, and the line was closed as paid; it came back: that is named', async () => {
    const [payout] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled();
    await world.drive(payout.id);
    world.rail.answers = null;
    for (const fact of [CAME_BACK, settled(), CAME_BACK, settled()]) await scene.tells(payout, fact);
    await resolveAll(payout, 'paid');
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });

  test('it came back, was out and called paid, back and out again, and the line was called paid; it came back: that is named', async () => {
    const [payout] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled();
    await world.drive(payout.id);
    world.rail.answers = null;
    for (const fact of [CAME_BACK, settled()]) await scene.tells(payout, fact);
    await resolveAll(payout, 'paid');
    for (const fact of [CAME_BACK, settled()]) await scene.tells(payout, fact);
    await resolveAll(payout, 'owed'); // as the refusal of `paid` says: its rows count as paid already
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });

  test('called paid, called refused, settled after all, and the line was closed; it is refused again: that is named', async () => {
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    await resolveAll(payout, 'paid');
    await scene.tells(payout, refused('permanent'));
    await scene.tells(payout, settled());
    await resolveAll(payout, 'owed');
    await scene.tells(payout, refused('permanent'));
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });
});
