/**
 * A question waits before it is put: for its rail's credentials, for its turn among five calls a second, or because its process stands still. Meanwhile
 * another one is put, and hears that the money came back. What the first one hears is younger: the money is out again. That is not dropped as an older
 * word (1), and an operator who closes the difference by what was said last lets no rows leave beside it, though the rail forgets it (2; ADR 120).
 */
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { happening } from '#libs/db/testing';
import { RailCaller } from '#libs/rail-registry';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that is out again', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each([false, true])('keeps its rows (the question that hears it waited for its turn: %s)', async (waits) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled() as LookupFact);

    const [isAsked, hasTurn] = [happening(), happening()];
    const caller = world.get(RailCaller);
    const lookup = caller.lookup.bind(caller);
    if (waits)
      jest.spyOn(caller, 'lookup').mockImplementationOnce(async (...question) => {
        isAsked.happens();
        await hasTurn.promise;
        return lookup(...question);
      });
    const asks = async () => world.get(AskRail).lookUp(await world.payout(payout.id));
    const asking = waits ? asks() : null;
    if (asking) await isAsked.promise;
    await scene.tells(payout, CAME_BACK);
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    hasTurn.happens();
    await (asking ?? asks());
    const saidLast = (await scene.openDrift(payout)).map(({ said }) => said);
    // An operator says that it came back only if that is what they read.
    while ((await scene.openDrift(payout)).length > 0 && !saidLast.includes('out')) await scene.resolve(payout, 'owed');
    world.rail.knows.set(payout.railKey, { kind: 'never_seen' });
    await scene.push(1_000);
    expect([await scene.outcome(), [...new Set(saidLast)]]).toEqual([[1_000], ['out']]);
  });
});
