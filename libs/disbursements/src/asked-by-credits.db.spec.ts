/** A client credits its payees as often as it likes, and what is owed leaves by itself: what is asked before that closes no lane of everybody's money. */
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { RailCaller } from '#libs/rail-registry';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a rail that is asked too much because of credits', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('is sent the money of other clients all the same', async () => {
    const scene = await OwedScene.of(world, await world.client(), 'IT');
    await scene.push(6_000);
    const first = await scene.refusedWithdrawal();
    expect(first.provider).toBe('swap_rail');
    world.rail.knows.set(first.railKey, { kind: 'not_now', afterSeconds: 60, detail: 'too many look-ups' });
    const lookup = jest.spyOn(world.get(RailCaller), 'lookup');
    await scene.push(1_000);
    await world.work('owed.release', scene.payee.id);
    const asked = lookup.mock.calls.map(([, { railKey }]) => railKey);
    lookup.mockRestore();
    expect(asked).toEqual([first.railKey]);

    world.rail.calls.length = 0;
    const other = await world.client();
    const { id } = await world.pay(other, await world.payee(other, { country: 'IT' }));
    world.rail.answers = () => accepted('two');
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(1);
  });
});
