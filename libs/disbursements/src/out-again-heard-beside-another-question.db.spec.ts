/**
 * Two questions about one payout are under way together. The one that was put first is answered last, and hears that the money is out again; the other
 * one heard that it came back. By their dates nobody knows which word is younger, so the rail is asked once more: an operator who reads what was said
 * last reads what is so (1, 2; ADR 120).
 */
import { happening } from '#libs/db/testing';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };
const DUE = `SELECT name FROM jobs WHERE entity_id = $1 AND name = 'payout.look' AND run_at <= now()`;

describe('money that is out again, as a question hears that was put before another one', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('is asked about once more, and is what was said last', async () => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled() as LookupFact);
    const [isPut, mayAnswer] = [happening(), happening()];
    jest.spyOn(world.rail, 'lookup').mockImplementationOnce(async () => {
      isPut.happens();
      await mayAnswer.promise;
      return settled() as LookupFact;
    });
    const asking = world.get(AskRail).lookUp(payout);
    await isPut.promise;
    await timePasses(world, payout.id, 61);
    await scene.tells(payout, CAME_BACK);
    expect(await world.db.rows(DUE, [payout.id])).toEqual([]);
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    mayAnswer.happens();
    await asking;
    const saidLast = async () => [...new Set((await scene.openDrift(payout)).map(({ said }) => said))];
    expect([await saidLast(), (await world.db.rows(DUE, [payout.id])).length]).toEqual([['back'], 1]);
    await world.work('payout.look', payout.id);
    expect(await saidLast()).toEqual(['out']);
  });
});
