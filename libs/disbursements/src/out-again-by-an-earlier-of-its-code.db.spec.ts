/**
 * Rows were refused for now, went out again under the same code, and came back; what came back left as another payout. The first money is out once
 * more, and the rail says so when it is asked about the earlier payout of that code, by a second look: it is named.
 */
import { AskRail } from '#libs/payouts';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that is out again by what is said of an earlier payout of its code', () => {
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

  const pays = async ({ id }: Payout, reference: string) => {
    world.rail.answers = () => settled(reference);
    await world.drive(id);
    world.rail.answers = null;
  };

  test.each(['the later one', 'the earlier one'])('is named, if %s is asked about', async (which) => {
    await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal();
    const [later] = (await scene.withdraw()) as [Payout];
    expect(later.railKey).toBe(earlier.railKey);
    await pays(later, 'one');
    await scene.tells(later, { kind: 'bounced', feeCents: 0 });
    const [next] = (await scene.withdraw()) as [Payout];
    expect(next.railKey).not.toBe(later.railKey);
    await pays(next, 'another');
    expect(await world.status(next.id)).toBe('paid');

    world.rail.knows.set(later.railKey, settled('one') as LookupFact);
    if (which === 'the later one') await world.get(AskRail).lookUp(await world.payout(later.id));
    else await world.lookOnceMore(earlier.id);
    expect(await scene.openDrift(later)).toMatchObject([{ railCents: 12_000 }]);
  });

  test('is not, if that was asked before it came back: the later one is asked about', async () => {
    await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal();
    const [later] = (await scene.withdraw()) as [Payout];
    await pays(later, 'one');
    world.rail.knows.set(later.railKey, settled('one') as LookupFact);
    const rail = world.get(AskRail);
    const slow = await rail.ask(await world.payout(earlier.id));
    await scene.tells(later, { kind: 'bounced', feeCents: 0 });
    await rail.apply(await world.payout(earlier.id), slow);
    await world.look(later.id);
    expect(await scene.openDrift(later)).toEqual([]);
    expect(await scene.outcome()).toEqual([6_000]);
  });
});
