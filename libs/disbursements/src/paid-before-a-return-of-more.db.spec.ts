/**
 * Rows of a payout that was refused left with one more row, and came back as one sum. The first payout turns out to
 * have been paid. An operator who does what the service says does not have it paid twice.
 */
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that was paid after all, whose rows came back with others since', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('cannot be called paid, and its operator is told to recover what would be paid twice', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(5_000);
    const first = await scene.refusedWithdrawal('permanent');
    world.rail.knows.set(first.railKey, refused('permanent'));
    await scene.push(1_000);
    const [both] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('both');
    await world.drive(both.id);
    await scene.tells(both, { kind: 'bounced', feeCents: 0 });
    expect(await world.status(both.id)).toBe('returned');
    await scene.tells(first, settled('first'));
    expect(await scene.openDrift(first)).toMatchObject([{ kind: 'not_paid_here', railCents: 5_000 }]);
    await expect(scene.resolve(first, 'paid')).rejects.toThrow('Recover that money, then resolve it with rows: owed');
  });
});
