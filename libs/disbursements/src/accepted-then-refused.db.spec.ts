/**
 * The call of a payout of rows was never answered, and its rail said to a question that it had taken it on. What it refuses after that is
 * what it took on: cancelled there, or not claimed in time. Nobody sends it once more, and it comes to its end.
 */
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a payout of rows that its rail took on, as a look-up said, and refused then', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const takenOn = async (country: string): Promise<Payout> => {
    const scene = await OwedScene.of(world, await world.client(), country);
    await scene.push(6_000);
    world.rail.says({});
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.payout(id)).status === 'authorized') await world.drive(id);
    const sent = await world.payout(id);
    expect(sent).toMatchObject({ status: 'submitted', attempt: 1, acceptedAttempt: null });
    world.rail.knows.set(sent.railKey, accepted());
    await world.age(id, 60);
    await world.drive(id);
    const payout = await world.payout(id);
    expect(payout).toMatchObject({ status: 'submitted', attempt: 1, acceptedAttempt: 1 });
    world.rail.calls.length = 0;
    world.rail.knows.set(payout.railKey, refused('permanent'));
    return payout;
  };

  test.each(['DE', 'FR'])('is not sent once more (%s)', async (country) => {
    const { id } = await takenOn(country);
    world.rail.answers = () => accepted('again');
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(0);
  });

  test.each(['DE', 'FR'])('fails, however long ago it was sent (%s)', async (country) => {
    const { id } = await takenOn(country);
    await world.age(id, 7_200);
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
  });
});
