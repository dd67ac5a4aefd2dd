/** After `paid` nothing is forgotten: what came back, or arrived later, is found without any notice. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';
import { type Due, WatchStore } from './db/watch.store';
import { HearNews } from './use-cases/hear-news';
import { WatchReturns } from './use-cases/watch-returns';

const RAIL = 'at_once';

describe('watching what was paid', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
    await world.get(WatchReturns).ofRail(RAIL); // every look begins with what becomes due from now on
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const paid = async (settledAt: Date | null = systemClock.now()): Promise<Payout> => {
    const payee = await world.payee(client, { country: 'ES' });
    world.rail.answers = () => ({ ...settled(), settledAt }) as ReturnType<typeof settled>;
    const { id } = await world.pay(client, payee);
    const payout = await world.payout(id);
    expect(payout.status).toBe('paid');
    return payout;
  };
  /** As if the looks had begun, and it had been paid, so much earlier. */
  const aged = async ({ id }: Payout, seconds: number): Promise<void> => {
    const earlier = `- $2::float8 * interval '1 second'`;
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at ${earlier} WHERE id = $1`, [id, seconds]);
    await world.db.execute(
      `UPDATE rail_watches SET last_id = NULL,
         watched_until = (SELECT updated_at FROM payouts WHERE id = $1) - interval '1 second'
       WHERE after_seconds <= $2`,
      [id, seconds],
    );
  };
  const watch = () => world.get(WatchReturns).ofRail(RAIL);
  const asked = ({ railKey }: Payout): number => world.rail.asked.filter((order) => order.railKey === railKey).length;

  test('finds what came back although its notice was lost, and tells it', async () => {
    const payout = await paid();
    world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 40 });
    await watch();
    expect(asked(payout)).toBe(0);
    await aged(payout, 700);
    expect(await watch()).toMatchObject({ watched: 1, news: 1 });
    expect(await world.payout(payout.id)).toMatchObject({ status: 'returned', liftingFeeCents: 40 });
    expect(await world.db.rows(`SELECT FROM events WHERE entity_id = $1`, [payout.id])).toHaveLength(5);
  });

  test('looks at each payout once for each time that is due, and never after its money can come back', async () => {
    const payout = await paid();
    world.rail.knows.set(payout.railKey, { kind: 'settled', providerRef: 'ref', settledAt: systemClock.now() });
    await aged(payout, 700);
    await watch();
    await watch();
    expect(asked(payout)).toBe(1);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '11 days' WHERE id = $1`, [
      payout.id,
    ]);
    await watch();
    expect(asked(payout)).toBe(1);
  });

  test('gives what time has passed over all at once a job of its own, and only that', async () => {
    const [young, older] = [await paid(), await paid()];
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '650 seconds' WHERE id = $1`, [
      older.id,
    ]);
    expect(await world.get(WatchReturns).passed(client.id, 700)).toBe(1);
    const looks = await world.db.rows<{ entityId: string }>(
      `SELECT entity_id FROM jobs WHERE name = 'payout.look' AND run_at <= now() AND entity_id = ANY($1)`,
      [[young.id, older.id]],
    );
    expect(looks).toEqual([{ entityId: older.id }]);
    expect(await world.get(WatchReturns).passed(client.id, 10)).toBe(0);
    await world.db.execute('UPDATE payouts SET updated_at = now() WHERE id = $1', [older.id]);
  });

  test('never goes back, also if what it looks at becomes much older meanwhile', async () => {
    const payout = await paid();
    await aged(payout, 700);
    const look = { rail: RAIL, afterSeconds: 600, unsettledOnly: false };
    const until = async (): Promise<string | undefined> =>
      (
        await world.db.row<{ until: string }>(
          `SELECT watched_until::text AS until FROM rail_watches WHERE rail = $1 AND after_seconds = 600`,
          [RAIL],
        )
      )?.until;
    const dueBy = await world.get(WatchStore).begin(look);
    const [due] = (await world.get(WatchStore).due(look, dueBy, 8)) as [Due];
    expect(due.id).toBe(payout.id);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '1 day' WHERE id = $1`, [payout.id]);
    await world.get(WatchStore).done(look, due);
    expect(await until()).toBe(due.since);
    expect(await world.get(WatchStore).due(look, dueBy, 8)).toEqual([]);
  });

  test('passes nobody over, however many were paid in the same moment', async () => {
    const payouts = await Promise.all(Array.from({ length: 20 }, () => paid()));
    for (const { railKey } of payouts) world.rail.knows.set(railKey, { kind: 'bounced', feeCents: 0 });
    const [first] = payouts as [Payout];
    await aged(first, 700);
    await world.db.execute(
      `UPDATE payouts SET updated_at = (SELECT updated_at FROM payouts WHERE id = $1) WHERE id = ANY($2)`,
      [first.id, payouts.map(({ id }) => id)],
    );
    expect(await watch()).toMatchObject({ watched: 20, news: 20 });
  });

  test('ends with what was due when it began, however much becomes due meanwhile', async () => {
    const [first] = [await paid()];
    await aged(first, 700);
    const news = world.get(HearNews);
    const ofOne = news.ofOne.bind(news);
    let asked = 0;
    const asking = jest.spyOn(news, 'ofOne').mockImplementation(async (payout) => {
      asked += 1;
      if (asked < 50) {
        const { id } = await paid();
        await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '600 seconds' WHERE id = $1`, [id]);
      }
      return ofOne(payout);
    });
    await watch();
    expect(asked).toBe(1);
    await watch();
    expect(asked).toBe(2);
    asking.mockRestore();
    await watch();
  });

  test('leaves what its rail cannot tell to a job that goes on asking, and the rail alone', async () => {
    const payouts = await Promise.all(Array.from({ length: 10 }, () => paid()));
    for (const { railKey } of payouts) world.rail.knows.set(railKey, { kind: 'unknown', detail: 'away' });
    for (const payout of payouts) await aged(payout, 700);
    const ids = payouts.map(({ id }) => id);
    await world.db.execute(
      `UPDATE rail_watches SET last_id = NULL, watched_until = (SELECT min(updated_at) FROM payouts WHERE id = ANY($1))
       WHERE after_seconds = 600`,
      [ids],
    );
    await watch();
    const jobs = () =>
      world.db.rows(`SELECT FROM jobs WHERE name = 'payout.look' AND entity_id = ANY($1::uuid[])`, [ids]);
    expect(await jobs()).toHaveLength(8);
    await watch();
    expect(await jobs()).toHaveLength(10);
  });

  test('fills in when the money arrived, and tells it by a second event', async () => {
    const payout = await paid(null);
    const arrivedAt = systemClock.now();
    world.rail.knows.set(payout.railKey, { kind: 'settled', providerRef: 'ref', settledAt: arrivedAt });
    await aged(payout, 700);
    await watch();
    const after = await world.payout(payout.id);
    expect(after).toMatchObject({ status: 'paid', settledAt: arrivedAt, sequence: payout.sequence + 1 });
    const [last] = await world.db.rows<{ payload: { status: string; settledAt: string }; sequence: number }>(
      'SELECT payload, sequence FROM events WHERE entity_id = $1 ORDER BY sequence DESC LIMIT 1',
      [payout.id],
    );
    expect(last).toMatchObject({ payload: { status: 'paid', settledAt: arrivedAt.toISOString() } });
    await world.get(WatchReturns).now();
    expect(await world.payout(payout.id)).toMatchObject({ sequence: after.sequence });
  });

  test('asks about what was paid just now if an operator wants to know', async () => {
    const payout = await paid();
    world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 0 });
    expect((await world.get(WatchReturns).now()).news).toBeGreaterThanOrEqual(1);
    expect(await world.payout(payout.id)).toMatchObject({ status: 'returned' });
  });

  describe('movements that say which way the money went', () => {
    const line = (
      { railKey, amountCents }: Payout,
      direction: 'out' | 'back',
      cents = amountCents,
      providerRef = 'ref',
    ) => ({
      ...{ railKey, direction, amountCents: cents, providerRef, currency: 'USD', movedAt: systemClock.now() },
    });
    const open = async ({ id }: Payout) =>
      (await world.get(DriftReads).list({ open: true }, null, 100)).filter(({ payoutId }) => payoutId === id);
    const listedLongAgo = ({ railKey }: Payout) =>
      world.db.execute(`UPDATE rail_movements SET listed_at = now() - interval '6 minutes' WHERE rail_key = $1`, [
        railKey,
      ]);

    test('what is listed as come back is asked about, and returned', async () => {
      const payout = await paid();
      world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 10 });
      world.rail.moved = [line(payout, 'out'), line(payout, 'back', payout.amountCents - 10)];
      await compare(world);
      expect(await world.payout(payout.id)).toMatchObject({ status: 'returned', liftingFeeCents: 10 });
      expect(await open(payout)).toEqual([]);
      await compare(world);
      expect(await open(payout)).toEqual([]);
    });

    test('what the rail lists as come back and does not tell of is a difference, until it does', async () => {
      const payout = await paid();
      world.rail.knows.set(payout.railKey, { kind: 'settled', providerRef: 'ref', settledAt: null });
      world.rail.moved = [line(payout, 'out'), line(payout, 'back')];
      await compare(world);
      expect(await open(payout)).toEqual([]);
      await listedLongAgo(payout);
      await compare(world);
      expect(await open(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 0 }]);
      world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 0 });
      await compare(world);
      expect(await open(payout)).toEqual([]);
    });

    test('what went out, was pulled back and went out again moved once, also if it comes back later', async () => {
      const payout = await paid();
      const again = line(payout, 'out', payout.amountCents, 'ref of the next try');
      world.rail.knows.set(payout.railKey, { kind: 'settled', providerRef: 'ref', settledAt: null });
      world.rail.moved = [line(payout, 'out'), line(payout, 'back'), again];
      await compare(world);
      await listedLongAgo(payout);
      await compare(world);
      expect(await open(payout)).toEqual([]);
      expect(await world.payout(payout.id)).toMatchObject({ status: 'paid' });
      world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 0 });
      world.rail.moved = [...world.rail.moved, line(payout, 'back', payout.amountCents, 'ref of the next try')];
      await compare(world);
      expect(await world.payout(payout.id)).toMatchObject({ status: 'returned' });
      expect(await open(payout)).toEqual([]);
    });

    test('what went out twice, and did not come back, is a difference', async () => {
      const payout = await paid();
      world.rail.moved = [line(payout, 'out'), line(payout, 'out', payout.amountCents, 'another')];
      await compare(world);
      expect(await open(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 2 * payout.amountCents }]);
    });

    test('what failed, and went out and came back, is no difference', async () => {
      const payee = await world.payee(client, { country: 'ES' });
      world.rail.answers = () => ({ kind: 'refused', failure: 'permanent', reason: 'no such account' });
      const { id } = await world.pay(client, payee);
      const failed = await world.payout(id);
      world.rail.moved = [line(failed, 'out'), line(failed, 'back')];
      await compare(world);
      expect(await open(failed)).toEqual([]);
      world.rail.moved = [line(failed, 'out'), line(failed, 'back', failed.amountCents - 1)];
      await compare(world);
      expect(await open(failed)).toMatchObject([{ railCents: 1 }]);
    });
  });
});
