/** A client's retry or release has its rail asked about what the rows were on before as well: that is a question of callers like the first. */
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { RailCaller } from '#libs/rail-registry';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a rail that is asked by a client about what rows were on before', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    await world.db.execute('DELETE FROM rail_lanes');
  });

  const failedTwice = async (): Promise<{ first: Payout; second: Payout }> => {
    const scene = await OwedScene.of(world, await world.client(), 'DE');
    const failed = async (cents: number): Promise<Payout> => {
      await scene.push(cents);
      world.rail.answers = () => refused();
      const [{ id }] = (await scene.withdraw()) as [Payout];
      if ((await world.status(id)) === 'authorized') await world.drive(id);
      const payout = await world.payout(id);
      expect(payout.status).toBe('failed');
      world.rail.knows.set(payout.railKey, refused());
      return payout;
    };
    const first = await failed(6_000);
    const second = await failed(1_000);
    expect(second.railKey).not.toBe(first.railKey);
    world.rail.calls.length = 0;
    return { first, second };
  };

  test('is asked as callers ask', async () => {
    const { second } = await failedTwice();
    const lookup = jest.spyOn(world.get(RailCaller), 'lookup');
    await world
      .get(RemedyPayout)
      .retry(second, 'client')
      .catch(() => undefined);
    const asked = lookup.mock.calls.map(([, , question]) => question?.byCaller);
    lookup.mockRestore();
    expect(asked).toEqual([true, true]);
  });

  test('is sent the money of other clients, once it was asked too much', async () => {
    const { first, second } = await failedTwice();
    world.rail.knows.set(first.railKey, { kind: 'not_now', afterSeconds: 60, detail: 'too many look-ups' });
    await expect(world.get(RemedyPayout).retry(second, 'client')).rejects.toThrow();
    const other = await world.client();
    const { id } = await world.pay(other, await world.payee(other, { country: 'DE' }));
    world.rail.answers = () => accepted('two');
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(1);
  });
});
