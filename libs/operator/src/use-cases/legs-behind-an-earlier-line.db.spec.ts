/**
 * Rows were refused, and left again as a payout in legs, whose first call moved its money to the payee's account at the rail. Then the rail says that
 * the first payout was paid after all. The second waits where it is; an operator finds that the payee has the money of the first, and is told
 * what to do with that of the second.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import type { DisputedRows } from '#libs/owed';
import type { Leg, Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled, thenDo } from '#libs/payouts/testing';
import type { LookupFact, RailLeg, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { driftView } from '../http/work.dto';
import { operateDriftIn } from './operate-drift.fake';

describe('a payout in legs, of rows that were paid before after all', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  /** The second one waits for the line about the first. */
  async function waiting() {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const first = await scene.refusedWithdrawal('permanent');
    world.rail.knows.set(first.railKey, { kind: 'refused', failure: 'permanent', reason: 'no' });
    const [{ id }] = (await scene.withdraw()) as [Payout];
    const answers: Record<string, SubmitAnswer> = { first: thenDo('payout'), payout: settled() };
    world.rail.answers = (_: RailOrder, leg: RailLeg | null) => answers[leg?.name ?? 'first'] as SubmitAnswer;
    await world.drive(id);
    const second = await world.payout(id);
    expect(second.railKey).not.toBe(first.railKey);
    world.rail.knows.set(second.railKey, thenDo('payout') as LookupFact);

    await scene.tells(first, settled('after all') as LookupFact);
    await world.drive(id);
    expect([world.rail.callsOf(id), await world.status(id)]).toEqual([['first'], 'submitted']);
    await expect(resolve(first, 'paid')).rejects.toThrow('Pull its money back at its provider');
    return { first, id, railKey: second.railKey };
  }

  const resolve = async (payout: Payout, rows: DisputedRows) => {
    for (const { id, said } of (await scene.openDrift(payout)).map(driftView))
      await operateDriftIn(world).resolve('ada', id, {
        note: 'looked',
        rows,
        neverSeen: false,
        said: said ?? undefined,
      });
  };

  test('fails once its money was pulled back at its provider, and its rows are paid by the first', async () => {
    const { first, id, railKey } = await waiting();
    world.rail.knows.set(railKey, refused('permanent') as LookupFact);
    // What its rail asked for more than a minute ago is asked about once more.
    const earlier = (legs: Leg[]) => legs.map((leg) => ({ ...leg, wishedAt: '2020-01-01T00:00:00.000Z' }));
    const { legs } = await world.payout(id);
    await world.db.execute('UPDATE payouts SET legs = $2::jsonb WHERE id = $1', [id, JSON.stringify(earlier(legs))]);
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
    await resolve(first, 'paid');
    expect([world.rail.callsOf(id), await scene.openDrift(first)]).toEqual([['first'], []]);
    await expect(scene.withdraw()).rejects.toThrow();
  });

  test('goes on if they are called owed, and the money of the first is recovered', async () => {
    const { first, id } = await waiting();
    await resolve(first, 'owed');
    await world.drive(id);
    expect([world.rail.callsOf(id), await world.status(id)]).toEqual([['first', 'payout'], 'paid']);
  });
});
