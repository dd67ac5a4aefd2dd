/**
 * A returned payout's money is out again, its rail says so when it is asked, and the line says it; also if the word before, that it came back, was heard while the database's clock was ahead, and that was set right since. Words are ordered by their times.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that is out again, of which its rail said before that it came back', () => {
  let world: MoneyWorld;
  beforeAll(async () => (world = await startOwedWorld()));
  afterAll(() => world.stop());

  test.each([0, 1_200])('keeps its rows, by a clock that was ahead by %i s when that was heard', async (seconds) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('one');
    await world.drive(payout.id);
    world.rail.answers = null;
    for (const fact of [CAME_BACK, settled('two') as LookupFact, CAME_BACK]) await scene.tells(payout, fact);
    const [line] = await scene.openDrift(payout);
    await world.db.execute(`UPDATE drift SET said_at = said_at + $2::int * interval '1 second' WHERE id = $1`, [
      line?.id,
      seconds,
    ]);
    world.rail.knows.set(payout.railKey, settled('two') as LookupFact);
    const closed = await operateDriftIn(world)
      .resolve('ada', line?.id ?? '', { note: null, rows: 'owed', neverSeen: false })
      .then(
        () => 'closed',
        ({ message }: Error) => message,
      );
    const outcome = await scene.outcome();
    const said = (await scene.openDrift(payout)).map((open) => open.said);
    expect([closed, outcome, said]).toEqual([
      expect.stringContaining('now says that this money is out'),
      'nothing_to_withdraw',
      ['out'],
    ]);
  });
});
