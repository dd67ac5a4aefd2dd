/**
 * What its rail lists agrees with a payout that is under way. Then a look-up ends it, and the list says otherwise: that is named before its
 * rows leave, although the next comparison has not come yet (ADR 29).
 */
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import type { RailMovement, SubmitFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const NO_ANSWER: SubmitFact = { kind: 'unknown', detail: 'no answer' };

describe('rows of a payout that was listed while it was under way', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  let scene: OwedScene;
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
  });

  const listedUnderWay = async (answer: SubmitFact, moved: (payout: Payout) => RailMovement[]): Promise<Payout> => {
    const [{ id }] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => answer;
    await world.drive(id);
    const payout = await world.payout(id);
    world.rail.moved = moved(payout);
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
    return payout;
  };

  test.each(['at once', 'after the next comparison'])('stay if it is out once more, and bounced: %s', async (when) => {
    const payout = await listedUnderWay(NO_ANSWER, (of) => [
      movementOf(of, 'out', 'one'),
      movementOf(of, 'back', 'one'),
      movementOf(of, 'out', 'two'),
    ]);
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    expect(await world.status(payout.id)).toBe('returned');
    if (when !== 'at once') await compare(world);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.openDrift(payout)).toMatchObject([
      { kind: 'amount_differs', payoutId: payout.id, railCents: 12_000 },
    ]);
  });

  test.each(['at once', 'after the next comparison'])('stay if it is out, and refused: %s', async (when) => {
    const payout = await listedUnderWay(accepted('one'), (of) => [movementOf(of, 'out', 'one')]);
    await scene.tells(payout, refused());
    expect(await world.status(payout.id)).toBe('failed');
    if (when !== 'at once') await compare(world);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.openDrift(payout)).toMatchObject([
      { kind: 'not_paid_here', payoutId: payout.id, railCents: 6_000 },
    ]);
  });

  test('leave if it came back as listed', async () => {
    const payout = await listedUnderWay(NO_ANSWER, (of) => [
      movementOf(of, 'out', 'one'),
      movementOf(of, 'back', 'one'),
    ]);
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    expect(await scene.outcome()).toEqual([6_000]);
    expect(await scene.openDrift(payout)).toEqual([]);
  });
});
