/**
 * Two questions about one payout are under way together, and the one that was put first is answered last, as in out-again-heard-beside-another-question:
 * but it is the one of a `payout.look` job. The rail is to be asked once more after both are over, whoever heard the word that contradicts the other
 * (1, 2; ADR 120): a job may not take its own reminder for done.
 */
import { happening } from '#libs/db/testing';
import { AskRail, PayoutJobs } from '#libs/payouts';
import { type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };
const LOOKS = `SELECT name FROM jobs WHERE entity_id = $1 AND name = 'payout.look'`;

describe('money that is out again, as a question hears that was put before another one', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each(['a reader', 'a look'])('is asked about once more if %s put it', async (who) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    world.rail.answers = () => settled();
    const sent = await scene.sent();
    world.rail.answers = null;
    await scene.tells(sent, CAME_BACK);
    const payout = await world.payout(sent.id);
    expect(payout.status).toBe('returned');
    await scene.tells(payout, settled() as LookupFact); // out again: it is named
    await world.db.execute(`DELETE FROM jobs WHERE entity_id = $1`, [payout.id]);
    const [isPut, mayAnswer] = [happening(), happening()];
    jest.spyOn(world.rail, 'lookup').mockImplementationOnce(async () => {
      isPut.happens();
      await mayAnswer.promise;
      return settled() as LookupFact;
    });
    if (who === 'a look') await world.get(PayoutJobs).look(payout);
    const asking = who === 'a look' ? world.work('payout.look', payout.id) : world.get(AskRail).lookUp(payout);
    await isPut.promise;
    await timePasses(world, payout.id, 61);
    await scene.tells(payout, CAME_BACK);
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    mayAnswer.happens();
    await asking;
    expect((await scene.openDrift(payout)).map(({ said }) => said)).toContain('back');
    const looks = await world.db.rows(LOOKS, [payout.id]);
    if (looks.length > 0) await world.work('payout.look', payout.id);
    const saidLast = (await scene.openDrift(payout)).map(({ said }) => said);
    // An operator says that it came back only if that is what they read.
    while ((await scene.openDrift(payout)).length > 0 && !saidLast.includes('out')) await scene.resolve(payout, 'owed');
    world.rail.knows.set(payout.railKey, { kind: 'never_seen' });
    await scene.push(1_000);
    expect([looks.length, await scene.outcome(), [...new Set(saidLast)]]).toEqual([1, [1_000], ['out']]);
  });

  /** Its rail was silent for long, so the look that goes on asking is an old one: it asks no more once that says nothing new. */
  test('is asked about once more if a look put it that is two hours old', async () => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled() as LookupFact);
    await world.get(PayoutJobs).look(payout);
    await world.db.execute(`UPDATE jobs SET created_at = now() - interval '2 hours' WHERE entity_id = $1`, [payout.id]);
    const [isPut, mayAnswer] = [happening(), happening()];
    jest.spyOn(world.rail, 'lookup').mockImplementationOnce(async () => {
      isPut.happens();
      await mayAnswer.promise;
      return settled() as LookupFact;
    });
    const asking = world.work('payout.look', payout.id);
    await isPut.promise;
    await timePasses(world, payout.id, 61);
    await scene.tells(payout, CAME_BACK);
    mayAnswer.happens();
    await asking;
    expect((await scene.openDrift(payout)).map(({ said }) => said)).toContain('back');
    expect(await world.db.rows(LOOKS, [payout.id])).toHaveLength(1);
  });
});
