/**
 * Payees of one client whose rows were refused again and again leave together, over a rail that takes a second to answer. Their questions
 * wait for each other, and how old an answer is counts from when it was asked, and not from when it began to wait for its turn.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const PAYEES = 6;
const EARLIER = 8;

describe('payouts of rows that are asked about side by side', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('are sent, and do not make the answers of each other old', async () => {
    const client = await world.client();
    const scenes = await Promise.all(Array.from({ length: PAYEES }, () => OwedScene.of(world, client)));
    const made: Payout[] = [];
    for (const scene of scenes) {
      for (let n = 0; n < EARLIER; n += 1) {
        await scene.push(6_000);
        const payout = await scene.refusedWithdrawal();
        world.rail.knows.set(payout.railKey, refused());
      }
      await scene.push(6_000);
      made.push(...(await scene.withdraw()));
    }
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 'authorized'));

    const lookup = world.rail.lookup.bind(world.rail);
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      await pause(2_000);
      return lookup(order, call);
    });
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted();
    await Promise.all(made.map(({ id }) => world.work('payout.drive', id)));
    expect(world.rail.calls).toHaveLength(PAYEES);
  }, 120_000);
});
