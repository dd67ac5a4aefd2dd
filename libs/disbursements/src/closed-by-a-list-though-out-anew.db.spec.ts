/**
 * As `closed-by-a-list-asked-for-beside-a-question`, but its rail had said that the money came back, and an operator had decided about that: a list that
 * was asked for before it is heard to be out anew does not close what is still open (1, 2; ADR 72).
 */
import { happening } from '#libs/db/testing';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { RailCaller } from '#libs/rail-registry';
import { ResolveDrift } from '#libs/reconciliation';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';
import { SettleDisputed } from './use-cases/settle-disputed';

describe('money that was said to have come back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const decided = (id: string): Promise<void> =>
    world.db.inTransaction(async () => {
      const { after, payout } = await world.get(ResolveDrift).run(id, { by: 'ada', note: null });
      if (payout) await world.get(SettleDisputed).run(payout, after, 'owed');
      await world.get(ResolveDrift).decidedAbout(id);
    });

  test('is named as out anew', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    world.rail.moved = [movementOf(payout, 'out', 'one')];
    await compare(world);
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    const back = (await scene.openDrift(payout)).find(({ liftingFeeCents }) => liftingFeeCents !== null);
    await decided(back?.id ?? '');
    expect((await scene.openDrift(payout)).map(({ said }) => said)).toEqual(['back']);

    // Asked before the list, and answered while that is read.
    world.rail.moved.push(movementOf(payout, 'back', 'one'));
    const [isPut, isListed] = [happening(), happening()];
    jest.spyOn(world.rail, 'lookup').mockImplementationOnce(async () => {
      isPut.happens();
      await isListed.promise;
      return settled('one') as LookupFact;
    });
    const hearing = scene.tells(payout, settled('one') as LookupFact);
    await isPut.promise;
    const caller = world.get(RailCaller);
    const movements = caller.movements.bind(caller);
    jest.spyOn(caller, 'movements').mockImplementation(async (...list) => {
      const read = await movements(...list);
      if (list[0] !== payout.provider) return read;
      isListed.happens();
      await hearing;
      return read;
    });
    await compare(world);
    await compare(world);
    expect((await scene.openDrift(payout)).map(({ said }) => said)).toEqual(['out']);
    world.rail.knows.set(payout.railKey, { kind: 'never_seen' });
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
  });
});
