/**
 * Rows were refused for now, went out again under the same code, and came back. The money is out once more, and the rail says so when it is asked
 * about the earlier payout of that code, by a second look. Then the rail is silent: the rows do not leave beside that money.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that is out again by what was said of an earlier payout of its code, of a rail that is silent since', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each(['the later one', 'the earlier one'])('keeps its rows, if %s was asked about', async (which) => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal();
    const [later] = (await scene.withdraw()) as [Payout];
    expect(later.railKey).toBe(earlier.railKey);
    world.rail.answers = () => settled('one');
    await world.drive(later.id);
    world.rail.answers = null;
    await scene.tells(later, { kind: 'bounced', feeCents: 0 });
    expect(await world.status(later.id)).toBe('returned');

    // It is out again, and that is heard.
    if (which === 'the later one') await scene.tells(later, settled('one') as LookupFact);
    else {
      world.rail.knows.set(later.railKey, settled('one') as LookupFact);
      await world.lookOnceMore(earlier.id);
    }
    // From now on nobody can ask.
    world.rail.knows.set(later.railKey, { kind: 'unknown', detail: 'no answer' });
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });
});
