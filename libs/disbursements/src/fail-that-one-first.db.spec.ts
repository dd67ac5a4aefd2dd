/**
 * Rows that went on to another payout cannot be called paid while that one may still pay them. An operator is told what to do about it: one
 * that is not out waits for this very difference, and would never come to its end.
 */
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that another payout may still pay', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let earlier: Payout;
  let later: Payout;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    earlier = await scene.refusedWithdrawal();
    world.rail.knows.set(earlier.railKey, refused());
    await scene.push(1_000);
    [later] = (await scene.withdraw()) as [Payout];
  });

  const refusal = (): Promise<string> =>
    scene.resolve(earlier, 'paid').then(
      () => 'none',
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    );
  const failThatOne = (status: string): string =>
    `illegal_transition: 1 of its rows went on to payout ${later.id}, which is ${status}. ` +
    `Fail that one first, with \`gw payouts fail ${later.id} --yes\`, then resolve this.`;

  test('which is held for this difference: that one is to be failed first, and then it works', async () => {
    await scene.tells(earlier, settled());
    await world.drive(later.id);
    expect(await world.status(later.id)).toBe('held');
    expect(await refusal()).toBe(failThatOne('held'));
    await world.get(GiveUpPayout).run(await world.payout(later.id), null);
    expect(await scene.resolve(earlier, 'paid')).toBe(1);
    expect(await scene.openDrift(earlier)).toEqual([]);
  });

  test('which nobody came to send yet: the same', async () => {
    await scene.tells(earlier, settled());
    expect(await world.status(later.id)).toBe('authorized');
    expect(await refusal()).toBe(failThatOne('authorized'));
  });

  test('which is under way: its end is to be waited for', async () => {
    world.rail.answers = () => accepted();
    await world.drive(later.id);
    expect(await world.status(later.id)).toBe('submitted');
    await scene.tells(earlier, settled());
    expect(await refusal()).toBe(
      `illegal_transition: 1 of its rows went on to payout ${later.id}, which is under way. ` +
        'Resolve this once that one has come to its end.',
    );
  });
});
