/** Rows whose first rail refused them leave by another one under the same code, and have to wait before they are sent there for the first time. */
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupAnswer, RailOrder } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that another rail refused, and that waited longer than their rail remembers a code', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('are sent, for their rail never saw them: at the latest once they are released', async () => {
    const scene = await OwedScene.of(world, await world.client(), 'DE');
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [before] = await scene.withdraw();
    if (before?.status !== 'failed') throw new Error('It was not refused.');
    world.rail.lookup = async ({ payoutId }: RailOrder): Promise<LookupAnswer> =>
      payoutId === before.id ? refused() : { kind: 'never_seen' };
    await world.adopt(scene.client, scene.payee);
    const [after] = await scene.withdraw();
    if (!after) throw new Error('Nothing left.');
    expect([before.provider, after.provider, after.railKey]).toEqual(['claim_rail', 'custodial_a', before.railKey]);
    await world.setStatus(scene.client, 'suspended');
    await world.drive(after.id);
    await world.age(after.id, 2 * 3_600);
    await world.setStatus(scene.client, 'active');
    world.rail.answers = () => settled();
    await world.drive(after.id);
    const first = await world.payout(after.id);
    if (first.status === 'held') {
      await world.get(RemedyPayout).release(first, 'operator');
      await world.drive(after.id);
    }
    const { status, statusReason, submittedAt } = await world.payout(after.id);
    expect({ status, statusReason, submittedAt, calls: world.rail.calls.length }).toMatchObject({ status: 'paid' });
  });
});
