/**
 * What came back is out again, comes back, and is out once more (as PayPal, when a second reversal is cancelled too), before anybody resolved the
 * line about it. The line says what the rail said last: whoever resolves it goes by that, and their word frees the rows.
 */
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that is out for the third time, of a line that is open still', () => {
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

  const returned = async (): Promise<Payout> => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled();
    await world.drive(payout.id);
    world.rail.answers = null;
    await scene.tells(payout, CAME_BACK);
    expect(await world.status(payout.id)).toBe('returned');
    return payout;
  };

  test('is not called come back by it', async () => {
    const payout = await returned();
    await scene.tells(payout, settled());
    await scene.tells(payout, CAME_BACK);
    await scene.tells(payout, settled());
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', liftingFeeCents: null }]);
  });

  test('called paid before: its rows are not owed again by an operator who believes the line', async () => {
    const payout = await returned();
    await scene.tells(payout, settled());
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    await scene.tells(payout, CAME_BACK);
    await scene.tells(payout, settled());
    expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: null }]);
  });

  test('does not leave a second time while its rail cannot be asked', async () => {
    const payout = await returned();
    await scene.tells(payout, settled());
    await scene.tells(payout, CAME_BACK);
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'an outage' });
    const outcome = await scene.outcome();
    expect(outcome).toBe('nothing_to_withdraw');
  });
});
