/**
 * As `closed-by-a-list-read-before-it-was-out-again`, but the question that hears that the money is out again was put right before the list was asked
 * for, and is answered after that was read. Which of the two is younger nobody knows: the list does not close the difference, and the rail is asked once
 * more (1, 2; ADR 72, 120).
 */
import { happening } from '#libs/db/testing';
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

  test.each(['after the list was asked for', 'before that'])(
    'is named, as a question hears that was put %s',
    async (when) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, await world.client());
      await scene.push(6_000);
      const payout = await scene.refusedWithdrawal('permanent');
      world.rail.moved = [movementOf(payout, 'out', 'one')];
      await compare(world);
      expect(await scene.openDrift(payout)).toHaveLength(1);
      world.rail.moved.push(movementOf(payout, 'back', 'one'));

      const [isPut, mayAnswer] = [happening(), happening()];
      jest.spyOn(world.rail, 'lookup').mockImplementationOnce(async () => {
        isPut.happens();
        await mayAnswer.promise;
        return settled('one') as LookupFact;
      });
      const hear = () => scene.tells(payout, settled('one') as LookupFact);
      let hearing = when === 'before that' ? hear() : null;
      if (hearing) await isPut.promise;
      const caller = world.get(RailCaller);
      const movements = caller.movements.bind(caller);
      jest.spyOn(caller, 'movements').mockImplementation(async (...list) => {
        const read = await movements(...list);
        if (list[0] !== payout.provider) return read;
        hearing ??= hear(); // it is out again only now
        mayAnswer.happens();
        await hearing;
        return read;
      });
      await compare(world);
      await compare(world);
      const open = (await scene.openDrift(payout)).map(({ said }) => said);
      expect(open).toEqual(['out']);
    },
  );
});
