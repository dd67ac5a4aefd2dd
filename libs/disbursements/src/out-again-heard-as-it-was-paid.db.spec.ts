/**
 * A payout is paid, or under way, as it is read, and the question whether it came back waits for its turn. Meanwhile another one hears that it came back. The first
 * one is put then, and hears that the money is out once more: that is named, or asked about again, and its rows do not leave beside it though its rail
 * forgets it (1, 2; ADR 120).
 */
import { happening } from '#libs/db/testing';
import { AskRail } from '#libs/payouts';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { RailCaller } from '#libs/rail-registry';
import { OwedScene, startOwedWorld } from '../testing/src';

const LOOKS = `SELECT FROM jobs WHERE name = 'payout.look' AND entity_id = $1`;
const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('what came back and is out once more', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each([
    ['paid', false],
    ['paid', true],
    ['submitted', true],
  ])('keeps its rows (read as %s; whoever hears it stood still before the call: %s)', async (readAs, stoodStill) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    world.rail.answers = () => accepted('one');
    const payout = await scene.sent();
    if (readAs === 'paid') await scene.tells(payout, settled('one') as LookupFact);
    expect(await world.status(payout.id)).toBe(readAs);

    const [isAsked, wakes] = [happening(), happening()];
    const caller = world.get(RailCaller);
    const lookup = caller.lookup.bind(caller);
    if (stoodStill)
      jest.spyOn(caller, 'lookup').mockImplementationOnce(async (...question) => {
        isAsked.happens();
        await wakes.promise;
        return lookup(...question);
      });
    const asks = async () => world.get(AskRail).lookUp(await world.payout(payout.id));
    const asking = stoodStill ? asks() : null;
    if (asking) await isAsked.promise;
    await scene.tells(payout, settled('one') as LookupFact);
    await scene.tells(payout, CAME_BACK);
    expect(await world.status(payout.id)).toBe('returned');
    world.rail.knows.set(payout.railKey, settled('one') as LookupFact);
    wakes.happens();
    await (asking ?? asks());
    // By its date nobody knows whether it was put before that: then it is asked again.
    if ((await world.db.rows(LOOKS, [payout.id])).length > 0) await world.work('payout.look', payout.id);
    expect(await scene.openDrift(payout)).toHaveLength(1);
    world.rail.knows.set(payout.railKey, { kind: 'never_seen' });
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
  });
});
