/**
 * "Never seen" is a definite no for as long as a rail remembers its codes: rows leave by it. So it is a word (`wordOf`): what an operator
 * decided about money that was out before counts no more after it, and money that is out once more is named, and keeps its rows.
 */
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const NEVER_SEEN: LookupFact = { kind: 'never_seen' };

describe('money that was out, that its rail never saw when it was asked again, and that is out once more', () => {
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

  const NO: [string, LookupFact][] = [
    ['refused (control)', refused('permanent') as LookupFact],
    ['never seen', NEVER_SEEN],
  ];
  const closed = async (no: LookupFact): Promise<Payout> => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, no);
    expect((await world.payout(payout.id)).clearedAt).not.toBeNull();
    return payout;
  };

  test.each(NO)('%s: its rows stay', async (_, no) => {
    const payout = await closed(no);
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    expect({ leaves: await scene.outcome(), open: (await scene.openDrift(payout)).length }).toEqual({
      leaves: 'nothing_to_withdraw',
      open: 1,
    });
  });

  test.each(NO)('%s: it is named, if they left by that', async (_, no) => {
    const payout = await closed(no);
    const [next] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('another');
    await world.drive(next.id);
    world.rail.answers = null;
    expect(await world.status(next.id)).toBe('paid');
    await scene.tells(payout, settled());
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });
});
