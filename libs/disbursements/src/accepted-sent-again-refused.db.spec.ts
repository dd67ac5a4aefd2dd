/**
 * Its rail took a payout of rows on, did not see it for a moment, and was sent it once more: that call was never answered. To a question it
 * said then that it has it. What it refuses after that is what it took on: nobody sends it once more.
 */
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a payout of rows that was taken on, sent once more, seen again and refused then', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const seenAgain = async (country: string, isSeen = true): Promise<string> => {
    const scene = await OwedScene.of(world, await world.client(), country);
    await scene.push(6_000);
    world.rail.answers = () => accepted();
    const [{ id, railKey }] = (await scene.withdraw()) as [Payout];
    if ((await world.payout(id)).status === 'authorized') await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', attempt: 1, acceptedAttempt: 1 });
    world.rail.says({});
    await world.drive(id); // never seen
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', attempt: 2 });
    await world.age(id, 60);
    if (isSeen) {
      world.rail.knows.set(railKey, accepted());
      await world.drive(id);
    }
    world.rail.knows.set(railKey, refused('permanent'));
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('again');
    return id;
  };

  test.each([
    ['DE', true],
    ['FR', true],
    ['DE', false],
    ['FR', false],
  ])('is not sent a third time (%s, seen again: %s)', async (country, isSeen) => {
    await world.drive(await seenAgain(country, isSeen));
    expect(world.rail.calls).toHaveLength(0);
  });

  test.each(['DE', 'FR'])('fails, however long ago it was sent (%s)', async (country) => {
    const id = await seenAgain(country);
    await world.age(id, 7_200);
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
  });
});
