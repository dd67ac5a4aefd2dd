import type { Db } from '#libs/db';
import { type ScratchDb, scratchDb } from '#libs/db/testing';
import { Rails } from '#libs/rail-registry';
import { rowsOf, seedClient, THEN } from '../../testing/rows-of-a-client';
import { ClockStore, type DueJobs } from './clock.store';
import { CLIENT_TIMES, RAIL_RECORDS, type TableTimes } from './times';

const HOUR = 3_600;
const isoOf = (text: string): string => text.replace('+00:00', 'Z');

/** A rail that keeps times, and does nothing else. */
const keeping = {
  definition: { name: 'mock' },
  rail: { timesKept: () => ({ keyPrefix: 'payment:', properties: ['settledAt', 'dueAt'] }) },
  missingSettings: [],
} as unknown as ConstructorParameters<typeof Rails>[0][number];
const rails = new Rails([keeping], 'here');

describe('the times of a client', () => {
  let scratch: ScratchDb;
  let db: Db;
  let store: ClockStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    db = scratch.db;
    store = new ClockStore(db, rails);
  });
  afterAll(() => scratch.drop());

  const pass = (clientId: string, seconds: number): Promise<DueJobs[]> =>
    db.inTransaction(async () => {
      await store.hold(clientId);
      return store.move(clientId, seconds);
    });
  const valueOf = async <T>(sql: string, id: string): Promise<T> => (await db.row<{ value: T }>(sql, [id]))?.value as T;

  test('move by as much as passed, all of them and nothing else', async () => {
    const client = await seedClient(db);
    const before = await rowsOf(db, client);
    await pass(client.clientId, HOUR);
    const after = await rowsOf(db, client);
    const tables: Record<string, TableTimes> = { ...CLIENT_TIMES, rail_records: RAIL_RECORDS };
    const expected = Object.entries(before).map(([table, rows]) => [
      table,
      rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => {
            const moves = column in (tables[table]?.moves ?? {});
            return [column, moves ? JSON.parse(JSON.stringify(value).replace('T23:30', 'T22:30')) : value];
          }),
        ),
      ),
    ]);
    expect(after).toEqual(Object.fromEntries(expected));
    for (const rows of Object.values(after)) expect(rows.length).toBeGreaterThan(0);
    expect(after.rail_records?.[0]).toMatchObject({ value: { settledAt: '2026-03-10T22:30:00.123Z', dueAt: null } });
    const moved = [...JSON.stringify(Object.values(after)).matchAll(/T22:30/g)].length;
    expect(moved).toBeGreaterThan(35);
  });

  test('of the calls of a payout move as well, in their order', async () => {
    const { clientId } = await seedClient(db);
    const leg = (name: string, firstSentAt: string | null, notBefore: string | null) => ({
      name,
      firstSentAt,
      notBefore,
      wishedAt: notBefore,
    });
    const legs = [leg('one', '2026-03-10T23:30:00.000Z', null), leg('two', null, '2026-03-11T00:30:00.000Z')];
    await db.execute('UPDATE payouts SET legs = $2 WHERE client_id = $1', [clientId, JSON.stringify(legs)]);
    await pass(clientId, HOUR);
    expect(await valueOf('SELECT legs AS value FROM payouts WHERE client_id = $1 LIMIT 1', clientId)).toEqual([
      leg('one', '2026-03-10T22:30:00.000Z', null),
      leg('two', null, '2026-03-10T23:30:00.000Z'),
    ]);
  });

  test('of no other client change', async () => {
    const [client, other, live] = [
      await seedClient(db),
      await seedClient(db),
      await seedClient(db, { testMode: false }),
    ];
    const before = [await rowsOf(db, other), await rowsOf(db, live)];
    await pass(client.clientId, HOUR);
    expect([await rowsOf(db, other), await rowsOf(db, live)]).toEqual(before);
  });

  test('cannot move if the client is live', async () => {
    const live = await seedClient(db, { testMode: false });
    const before = await rowsOf(db, live);
    await expect(pass(live.clientId, HOUR)).rejects.toThrow('payout_trail is append-only');
    expect(await rowsOf(db, live)).toEqual(before);
  });

  test('add up, also of two at once', async () => {
    const { clientId, payeeId } = await seedClient(db);
    await Promise.all([pass(clientId, HOUR), pass(clientId, 2 * HOUR), pass(clientId, 4 * HOUR)]);
    const createdAt = await valueOf<Date>('SELECT created_at AS value FROM payees WHERE id = $1', payeeId);
    expect(new Date(isoOf(THEN)).getTime() - createdAt.getTime()).toBe(7 * HOUR * 1000);
  });

  test('turn the day of a payout when the moment of its authorization does', async () => {
    const { clientId, payoutId } = await seedClient(db);
    const days: string[] = [];
    for (const hours of [12, 12, 48]) {
      await pass(clientId, hours * HOUR);
      days.push(await valueOf<string>('SELECT authorized_on::text AS value FROM payouts WHERE id = $1', payoutId));
    }
    expect(days).toEqual(['2026-03-10', '2026-03-09', '2026-03-07']);
  });

  test('leave a lease as it is, and have its job run once more', async () => {
    const { clientId, payoutId } = await seedClient(db);
    const JOB = `SELECT run_at, lease_token, version FROM jobs WHERE name = 'payout.drive' AND entity_id = $1`;
    await db.execute(
      `UPDATE jobs SET lease_token = gen_random_uuid(), run_at = now() + interval '6 seconds', owner = $2
       WHERE name = 'payout.drive' AND entity_id = $1`,
      [payoutId, clientId],
    );
    const before = await db.row<{ version: number }>(JOB, [payoutId]);
    expect(await pass(clientId, HOUR)).toEqual([]);
    expect(await db.row(JOB, [payoutId])).toEqual({ ...before, version: (before?.version ?? 0) + 1 });
  });

  test('make jobs due, of which it tells, and not those that are due later still', async () => {
    const { clientId, payoutId, eventId } = await seedClient(db);
    const runIn = (seconds: number, entityId: string): Promise<number> =>
      db.execute(`UPDATE jobs SET run_at = now() + $1::int * interval '1 second', owner = $3 WHERE entity_id = $2`, [
        seconds,
        entityId,
        clientId,
      ]);
    await runIn(HOUR - 5, payoutId);
    await runIn(HOUR + 60, eventId);
    expect(await pass(clientId, HOUR)).toEqual([{ name: 'payout.drive', count: 1 }]);
    expect(await pass(clientId, HOUR)).toEqual([{ name: 'mail.send', count: 1 }]);
  });

  test('leave an event whose attempt may be under way', async () => {
    const { clientId, eventId } = await seedClient(db);
    const AT = 'SELECT next_attempt_at AS value FROM events WHERE id = $1';
    await db.execute(
      `UPDATE events SET status = 'pending', next_attempt_at = now() - interval '1 second' WHERE id = $1`,
      [eventId],
    );
    const due = await valueOf<Date>(AT, eventId);
    await pass(clientId, HOUR);
    expect(await valueOf<Date>(AT, eventId)).toEqual(due);
    await db.execute(`UPDATE events SET next_attempt_at = now() + interval '30 minutes' WHERE id = $1`, [eventId]);
    const later = await valueOf<Date>(AT, eventId);
    await pass(clientId, HOUR);
    expect(later.getTime() - (await valueOf<Date>(AT, eventId)).getTime()).toBe(HOUR * 1000);
  });
});
