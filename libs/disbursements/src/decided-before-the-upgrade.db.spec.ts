/**
 * Differences that were decided about before migration 79 say nothing of what their rail said (`drift.said` is null). For those a
 * later refusal, or a line of what came back, says that a decision about money that was out counts no more, as it did before.
 */
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('what was decided before the upgrade, and is out again after it', () => {
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

  const asOlderCodeWrote = () => world.db.execute('UPDATE drift SET said = NULL, said_at = NULL, overtaken = false');

  test('taken on, refused, closed, taken on once more: its rows stay', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, accepted());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, refused('permanent'));
    await asOlderCodeWrote();
    world.rail.knows.set(payout.railKey, accepted());
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });

  test('out, found owed, back, found owed, out again: its rows stay', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, CAME_BACK);
    await scene.resolve(payout, 'owed');
    await asOlderCodeWrote();
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });

  test('out, found owed by this version, back as an older process beside it hears, found owed, out again: its rows stay', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, CAME_BACK);
    // The older process wrote the line of what came back, and no word.
    await world.db.execute(
      `UPDATE drift SET overtaken = false, said = CASE WHEN lifting_fee_cents IS NULL THEN 'out' END WHERE payout_id = $1`,
      [payout.id],
    );
    await scene.resolve(payout, 'owed');
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('(control) with what this version writes, both stay', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, CAME_BACK);
    await scene.resolve(payout, 'owed');
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });
});
