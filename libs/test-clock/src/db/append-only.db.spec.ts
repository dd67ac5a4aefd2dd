/** What the triggers let through: the time of a test client's row, by what the transaction names, and nothing else. */
import type { Db } from '#libs/db';
import { type ScratchDb, scratchDb } from '#libs/db/testing';
import { type SeededClient, seedClient } from '../../testing/rows-of-a-client';

const HOUR = `interval '3600 seconds'`;
const TABLES = { payout_trail: 'payout_id', wallet_entries: 'client_id' };

describe.each(Object.entries(TABLES))('the append-only rows of %s', (table, owner) => {
  let scratch: ScratchDb;
  let db: Db;
  let client: SeededClient;
  let live: SeededClient;
  beforeAll(async () => {
    scratch = await scratchDb();
    db = scratch.db;
    client = await seedClient(db);
    live = await seedClient(db, { testMode: false });
  });
  afterAll(() => scratch.drop());

  const idOf = ({ payoutId, clientId }: SeededClient): string => (owner === 'payout_id' ? payoutId : clientId);
  const change = (set: string, of: SeededClient, seconds: string | null = '3600'): Promise<number> =>
    db.inTransaction(async () => {
      if (seconds !== null) await db.execute(`SELECT set_config('gateway.seconds_passed', $1, true)`, [seconds]);
      return db.execute(`UPDATE ${table} SET ${set} WHERE ${owner} = $1`, [idOf(of)]);
    });
  const refused = `${table} is append-only`;

  test('move by the seconds that the transaction names', async () => {
    expect(await change(`created_at = created_at - ${HOUR}`, client)).toBeGreaterThan(0);
  });

  test.each([
    ['by more', `created_at = created_at - 2 * ${HOUR}`],
    ['by less', `created_at = created_at - ${HOUR} / 2`],
    ['the other way', `created_at = created_at + ${HOUR}`],
    ['not at all', 'created_at = created_at'],
    ['with something else', `created_at = created_at - ${HOUR}, type = 'adjustment', id = gen_random_uuid()`],
    ['with the row that it belongs to', `created_at = created_at - ${HOUR}, ${owner} = gen_random_uuid()`],
  ])('do not move %s', async (_, set) => {
    await expect(change(set, client)).rejects.toThrow(refused);
  });

  test('do not move if nothing is named, if nothing matches either, or for a live client', async () => {
    const move = `created_at = created_at - ${HOUR}`;
    await expect(change(move, client, null)).rejects.toThrow(refused);
    await expect(change(move, client, '')).rejects.toThrow(refused);
    await expect(db.execute(`UPDATE ${table} SET ${move} WHERE false`)).rejects.toThrow(refused);
    await expect(change(move, live)).rejects.toThrow(refused);
  });

  test('are as they were in the next transaction', async () => {
    await change(`created_at = created_at - ${HOUR}`, client);
    await expect(change(`created_at = created_at - ${HOUR}`, client, null)).rejects.toThrow(refused);
  });

  test.each([
    [`DELETE FROM ${table}`],
    [`TRUNCATE ${table} CASCADE`],
    [`UPDATE audit_log SET created_at = created_at - ${HOUR}`],
  ])('let time pass through no %s', async (statement) => {
    const tried = db.inTransaction(async () => {
      await db.execute(`SELECT set_config('gateway.seconds_passed', '3600', true)`);
      return db.execute(statement);
    });
    await expect(tried).rejects.toThrow('append-only');
  });
});
