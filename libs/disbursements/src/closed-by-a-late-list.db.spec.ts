/**
 * The list that says first that money came back may be late: its rail may have said since that it is out again. The list does not close the difference
 * then, and the rail is asked once more (1, 2; ADR 72).
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const OUT = settled('one') as LookupFact;

describe('money that came back, as its list says late', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  const listed = async (scene: OwedScene): Promise<Payout> => {
    world.rail.reset();
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, OUT);
    world.rail.moved = [movementOf(payout, 'out', 'one'), movementOf(payout, 'back', 'one')];
    return payout;
  };

  test('stays named if its rail says that it is out', async () => {
    const scene = await OwedScene.of(world, await world.client());
    const payout = await listed(scene);
    world.rail.knows.set(payout.railKey, OUT);
    await compare(world);
    await compare(world);
    expect((await scene.openDrift(payout)).map(({ said }) => said)).toEqual(['out']);
    world.rail.knows.set(payout.railKey, { kind: 'never_seen' });
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
  });

  test.each<[string, LookupFact]>([
    ['says so too', { kind: 'bounced', feeCents: 0 }],
    ['knows nothing of it', { kind: 'never_seen' }],
  ])('is no difference any more if its rail %s', async (_, fact) => {
    const scene = await OwedScene.of(world, await world.client());
    const payout = await listed(scene);
    world.rail.knows.set(payout.railKey, fact);
    world.rail.asked.length = 0;
    await compare(world);
    expect(world.rail.asked.map(({ payoutId }) => payoutId)).toEqual([payout.id]);
    await compare(world);
    expect((await scene.openDrift(payout)).filter(({ kind }) => kind === 'not_paid_here')).toEqual([]);
  });
});
