/**
 * The answer to its send was lost, and the first that is heard of a payout is that it came back: that tells no reference. If its rail has it out again,
 * the reference is not taken for that of the first time: it is named, and its rows stay.
 */
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact, SubmitAnswer } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('a payout whose return was the first that was heard of it, and that is out again', () => {
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

  const LOST: SubmitAnswer = { kind: 'unknown', detail: 'its answer was lost' };
  const returned = async (answer: SubmitAnswer): Promise<Payout> => {
    await scene.push(6_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => answer;
    await world.drive(id);
    world.rail.answers = null;
    await scene.tells(await world.payout(id), CAME_BACK);
    const payout = await world.payout(id);
    expect(payout.status).toBe('returned');
    return payout;
  };

  describe.each([
    ['heard (control)', settled()],
    ['lost', LOST],
  ])('the answer to its send was %s', (_, answer) => {
    test.each([
      ['moved', settled() as LookupFact],
      ['under way', { kind: 'accepted', providerRef: 'once-more' } as LookupFact],
    ])('is named (%s)', async (_what, fact) => {
      const payout = await returned(answer);
      await scene.tells(payout, fact);
      expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 12_000 }]);
      // It may be that of the second time.
      expect((await world.payout(payout.id)).providerRef).toBe(payout.providerRef);
    });

    test('keeps its rows', async () => {
      const payout = await returned(answer);
      world.rail.knows.set(payout.railKey, settled() as LookupFact);
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
    });
  });
});
