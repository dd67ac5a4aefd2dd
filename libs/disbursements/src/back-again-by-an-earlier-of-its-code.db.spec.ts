/**
 * Rows were refused for now, and went out again under the same code. They came back, were out again, and an operator called them paid. They come back
 * once more, and the first to hear of that is a look at the earlier payout of the code, whose second look is due: its rail speaks of the code. That
 * is named, whichever payout was asked about.
 */
import { AskRail } from '#libs/payouts';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('rows that were called paid, and came back by what is said of an earlier payout of their code', () => {
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

  test.each(['the later one', 'the earlier one'])('are named, if %s is asked about first', async (which) => {
    await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal();
    const [later] = (await scene.withdraw()) as [Payout];
    expect(later.railKey).toBe(earlier.railKey);
    world.rail.answers = () => settled();
    await world.drive(later.id);
    world.rail.answers = null;
    await scene.tells(later, CAME_BACK);
    await scene.tells(later, settled() as LookupFact);
    await scene.resolve(later, 'paid');
    expect(await scene.openDrift(later)).toEqual([]);

    world.rail.knows.set(later.railKey, CAME_BACK);
    if (which === 'the later one') await world.get(AskRail).lookUp(await world.payout(later.id));
    else await world.lookOnceMore(earlier.id);
    expect(await scene.openDrift(later)).toHaveLength(1);
  });
});
