/**
 * What a payout had paid came back, and its rail has it out again, and back again, as often as it likes (as PayPal, when a reversal is
 * cancelled). Each time that it is out, somebody is told, whatever was decided about the time before.
 */
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that came back, went out again and came back again', () => {
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

  const cameBackOnce = async (payout: Payout): Promise<void> => {
    world.rail.answers = () => settled();
    await world.drive(payout.id);
    world.rail.answers = null;
    expect(await world.status(payout.id)).toBe('paid');
    await scene.tells(payout, CAME_BACK);
    expect(await world.status(payout.id)).toBe('returned');
  };
  const OUT = [{ kind: 'amount_differs', railCents: 12_000 }];

  test('of rows: it is named, and they wait', async () => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    await cameBackOnce(payout);
    await scene.tells(payout, settled());
    expect(await scene.openDrift(payout)).toMatchObject(OUT);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    await scene.tells(payout, CAME_BACK);
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, settled());
    expect(await scene.openDrift(payout)).toMatchObject(OUT);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('of rows that left with another payout: it is named, each time once', async () => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    await cameBackOnce(payout);
    const [again] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('another');
    await world.drive(again.id);
    for (let time = 0; time < 3; time += 1) {
      await scene.tells(payout, settled());
      await scene.tells(payout, settled());
      expect(await scene.openDrift(payout)).toMatchObject(OUT);
      await scene.tells(payout, CAME_BACK);
      await scene.resolve(payout, 'owed');
      await scene.tells(payout, CAME_BACK);
      expect(await scene.openDrift(payout)).toEqual([]);
    }
  });

  test('of a caller: it is named', async () => {
    const payout = await world.pay(scene.client, scene.payee, 6_000);
    await cameBackOnce(payout);
    await scene.tells(payout, settled());
    expect(await scene.openDrift(payout)).toMatchObject(OUT);
    await scene.tells(payout, CAME_BACK);
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, settled());
    expect(await scene.openDrift(payout)).toMatchObject(OUT);
  });

  test('of rows, and nobody looked yet: their withdrawal asks, and they do not leave beside it', async () => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    await cameBackOnce(payout);
    await scene.tells(payout, settled());
    await scene.tells(payout, CAME_BACK);
    await scene.resolve(payout, 'owed');
    world.rail.knows.set(payout.railKey, settled());
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.openDrift(payout)).toMatchObject(OUT);
  });

  test('of rows, for the first time, and nobody looked yet', async () => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    await cameBackOnce(payout);
    world.rail.knows.set(payout.railKey, settled());
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.openDrift(payout)).toMatchObject(OUT);
  });

  test('of rows that are about to be sent: they are not', async () => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    await cameBackOnce(payout);
    const [again] = (await scene.withdraw()) as [Payout];
    world.rail.knows.set(payout.railKey, settled());
    await world.drive(again.id);
    expect(await world.payout(again.id)).toMatchObject({ status: 'held', submittedAt: null });
    expect(await scene.openDrift(payout)).toMatchObject(OUT);
    await scene.tells(payout, CAME_BACK);
    await scene.resolve(payout, 'owed');
    world.rail.answers = () => settled('another');
    await world.get(RemedyPayout).release(await world.payout(again.id), 'operator');
    await world.drive(again.id);
    expect(await world.payout(again.id)).toMatchObject({ status: 'paid' });
  });

  test('called paid, and sent back by its bank: it is named, and its rows are owed again', async () => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    await cameBackOnce(payout);
    await scene.tells(payout, settled());
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    for (let time = 0; time < 2; time += 1) await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0, ourStatus: 'returned' }]);
    expect(await scene.resolve(payout, 'owed')).toBe(1);
    expect(await scene.balance()).toEqual({ withdrawableCents: 6_000, landedCents: 0 });
    expect(await world.status(payout.id)).toBe('returned');
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toEqual([]);
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('is not named for having come back once, however often it says so', async () => {
    const payout = await world.pay(scene.client, scene.payee, 6_000);
    await cameBackOnce(payout);
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toEqual([]);
  });
});
