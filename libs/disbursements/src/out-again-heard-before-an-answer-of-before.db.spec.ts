/**
 * Two questions about one payout are under way together, as in out-again-heard-beside-another-question, but the answers cross the other way round: the one
 * that was put last is answered first, that the money came back, and its answer is on its way for long; meanwhile the money leaves again, and the one that
 * was put first hears that. By their dates nobody knows which word is younger, in whichever order they arrive: the rail is asked once more, and an
 * operator who reads what was said last reads what is so (1, 2; ADR 120).
 */
import { happening } from '#libs/db/testing';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
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

  test.each([
    ['last', 'it came back', CAME_BACK],
    ['first', 'it came back', CAME_BACK],
    ['last', 'it is refused', refused('permanent') as LookupFact],
    ['first', 'it is refused', refused('permanent') as LookupFact],
  ])('is what was said last (%s arrives the word that %s)', async (otherArrives, _, otherWord) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled() as LookupFact);
    const asks = (fact: LookupFact) => {
      const [isPut, mayArrive] = [happening(), happening()];
      jest.spyOn(world.rail, 'lookup').mockImplementationOnce(async () => {
        isPut.happens();
        await mayArrive.promise;
        return fact;
      });
      const asking = world.get(AskRail).lookUp(payout);
      return {
        isPut: isPut.promise,
        arrives: async () => {
          mayArrive.happens();
          await asking;
        },
      };
    };
    const hearsOut = asks(settled() as LookupFact);
    await hearsOut.isPut;
    const hearsOther = asks(otherWord);
    await hearsOther.isPut;
    await world.db.execute(`DELETE FROM jobs WHERE entity_id = $1`, [payout.id]);
    world.rail.knows.set(payout.railKey, settled() as LookupFact); // from now on: it left again
    for (const answer of otherArrives === 'last' ? [hearsOut, hearsOther] : [hearsOther, hearsOut])
      await answer.arrives();

    const looks = await world.db.rows(LOOKS, [payout.id]);
    if (looks.length > 0) await world.work('payout.look', payout.id);
    const saidLast = (await scene.openDrift(payout)).map(({ said }) => said);
    // An operator says that it is not out only if that is what they read.
    while ((await scene.openDrift(payout)).length > 0 && !saidLast.includes('out')) await scene.resolve(payout, 'owed');
    world.rail.knows.set(payout.railKey, { kind: 'never_seen' });
    await scene.push(1_000);
    expect([looks.length, await scene.outcome(), [...new Set(saidLast)]]).toEqual([1, [1_000], ['out']]);
  });
});
