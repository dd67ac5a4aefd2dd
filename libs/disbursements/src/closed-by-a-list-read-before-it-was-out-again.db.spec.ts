/**
 * A list says that the money came back. While its pages are read, and before it is written down, the rail says that the money is out again. The list is
 * as old as the question for it: it does not close the difference of money that was heard to be out since (1, 2; ADR 120).
 */
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { RailCaller } from '#libs/rail-registry';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('money that came back and is out again', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each(['after the list is kept', 'between its reading and its keeping'])(
    'is named, as it is heard %s',
    async (when) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, await world.client());
      await scene.push(6_000);
      const payout = await scene.refusedWithdrawal('permanent');
      world.rail.moved = [movementOf(payout, 'out', 'one')];
      await compare(world);
      expect(await scene.openDrift(payout)).toHaveLength(1);
      world.rail.moved.push(movementOf(payout, 'back', 'one'));
      const heard = () => scene.tells(payout, settled('one') as LookupFact);
      const caller = world.get(RailCaller);
      const movements = caller.movements.bind(caller);
      if (when !== 'after the list is kept')
        jest.spyOn(caller, 'movements').mockImplementation(async (...list) => {
          const read = await movements(...list);
          if (list[0] === payout.provider) await heard();
          return read;
        });
      await compare(world);
      if (when === 'after the list is kept') await heard();
      const open = (await scene.openDrift(payout)).map(({ said }) => said);
      expect(open).toEqual(['out']);
    },
  );
});
