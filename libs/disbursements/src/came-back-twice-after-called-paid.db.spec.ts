/**
 * An operator called what had failed paid. Its bank sends it back, and that is cancelled (as PayPal does): the operator resolves that line with
 * `rows: paid`, for its payee has the money. When it is sent back once more its payee has nothing, and somebody is told.
 */
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('what was called paid, came back, was at its payee again, and comes back once more', () => {
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

  const twice = async (payout: Payout): Promise<void> => {
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'paid');
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0 }]);
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'paid');
    await scene.tells(payout, settled());
    expect(await scene.openDrift(payout)).toEqual([]);
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0 }]);
  };

  test('of rows: it is named', async () => {
    await scene.push(6_000);
    await twice(await scene.refusedWithdrawal('permanent'));
  });

  test('of a caller: it is named', async () => {
    const payout = await world.pay(scene.client, scene.payee, 6_000);
    world.rail.answers = () => refused('permanent');
    await world.drive(payout.id);
    world.rail.answers = null;
    await twice(await world.payout(payout.id));
  });
});
