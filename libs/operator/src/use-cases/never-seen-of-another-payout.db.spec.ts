/**
 * An admin finds out that a rail never saw the second payout of some rows (`neverSeen`), and can say so: it is silent. Then it is the first payout of one of
 * those rows that is in dispute, and an operator finds its money at the payee. That says nothing of the second one: its other row leaves, as it does if
 * nothing was decided.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import type { OperateDrift } from './operate-drift';
import { operateDriftIn } from './operate-drift.fake';

const SILENT: LookupFact = { kind: 'unknown', detail: 'no answer' };

describe('an admin’s `neverSeen`, once an operator decided about another payout', () => {
  let world: MoneyWorld;
  let operate: OperateDrift;
  beforeAll(async () => {
    world = await startOwedWorld();
    operate = operateDriftIn(world);
  });
  afterAll(() => world.stop());

  test.each([
    ['custodial_a', 'FR'],
    ['claim_rail', 'DE'],
  ])('frees the rows that are left (%s)', async (_, country) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client(), country);
    await scene.push(6_000);
    const first = await scene.sentAndRefused('permanent');
    await scene.push(2_000);
    const second = await scene.sentAndRefused('permanent');
    expect(second.amountCents).toBe(8_000);
    world.rail.knows.set(second.railKey, SILENT);
    await world.get(GiveUpPayout).run(await world.payout(second.id), 'looked there', true);
    await scene.tells(first, settled('late') as LookupFact);
    const [line] = await scene.openDrift(first);
    await operate.resolve('ada', (line as { id: string }).id, { note: null, rows: 'paid', neverSeen: false });
    expect(await scene.outcome()).toEqual([2_000]);
  });
});
