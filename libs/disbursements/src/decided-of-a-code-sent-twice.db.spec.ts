/**
 * Rows left twice under one code, and their rail refused both for now. They are on a third payout by then, which was not sent, when the rail
 * tells of money under that code; an operator looks into it, and decides that the rows are owed.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that left twice under one code, of which an operator decided', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each<[string, LookupFact]>([
    ['it came back', { kind: 'bounced', feeCents: 0 }],
    ['its payee does not have it', settled()],
  ])('leave with the next withdrawal, for %s', async (_, fact) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const first = await scene.refusedWithdrawal();
    world.rail.knows.set(first.railKey, refused());
    const second = await scene.refusedWithdrawal();
    const [third] = (await scene.withdraw()) as [Payout];
    expect([second.railKey, third.railKey, third.submittedAt]).toEqual([first.railKey, first.railKey, null]);
    await scene.tells(second, fact);
    const all = [first, second, third];
    const open = (await Promise.all(all.map((payout) => scene.openDrift(payout)))).flat();
    expect(open).toHaveLength(1);
    await scene.resolve(all.find(({ id }) => id === open[0]?.payoutId) as Payout, 'owed');
    expect(await scene.outcome()).toEqual([6_000]);
  });
});
