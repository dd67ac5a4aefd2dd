/** What the triggers let go: append-only rows of one test client, which the transaction names, and no others. */
import type { Db } from '#libs/db';
import { type ScratchDb, scratchDb } from '#libs/db/testing';
import { type SeededClient, seedClient } from '../../testing/rows-of-a-client';

const TABLES = { payout_trail: 'payout_id', wallet_entries: 'client_id' };

describe.each(Object.entries(TABLES))('the append-only rows of %s', (table, owner) => {
  let scratch: ScratchDb;
  let db: Db;
  let client: SeededClient;
  let other: SeededClient;
  let live: SeededClient;
  beforeAll(async () => {
    scratch = await scratchDb();
    db = scratch.db;
    client = await seedClient(db);
    other = await seedClient(db);
    live = await seedClient(db, { testMode: false });
  });
  afterAll(() => scratch.drop());

  const idOf = ({ payoutId, clientId }: SeededClient): string => (owner === 'payout_id' ? payoutId : clientId);
  /** The name counts in its transaction only. */
  const inReset = (named: string | null, statement: string, values: unknown[] = []): Promise<number> =>
    db.inTransaction(async () => {
      if (named !== null) await db.execute(`SELECT set_config('gateway.resetting_client', $1, true)`, [named]);
      return db.execute(statement, values);
    });
  const remove = (of: SeededClient, named: string | null): Promise<number> =>
    inReset(named, `DELETE FROM ${table} WHERE ${owner} = $1`, [idOf(of)]);
  const refused = `${table} is append-only`;

  test.each([
    ['another is named', () => remove(client, other.clientId)],
    ['it is live', () => remove(live, live.clientId)],
    ['nobody is named', () => remove(client, null)],
    ['nobody is named, by an empty word', () => remove(client, '')],
    ['nobody is named, and nothing matches', () => inReset(null, `DELETE FROM ${table} WHERE false`)],
    ['one is named, and all would go', () => inReset(client.clientId, `DELETE FROM ${table}`)],
    ['all would go at once', () => inReset(client.clientId, `TRUNCATE ${table} CASCADE`)],
    ['they would change', () => inReset(client.clientId, `UPDATE ${table} SET created_at = created_at`)],
  ])('stay if %s', async (_, tried) => {
    await expect(tried()).rejects.toThrow(refused);
  });

  test('of the audit log stay, whoever is named', async () => {
    const tried = inReset(client.clientId, 'DELETE FROM audit_log WHERE client_id = $1', [client.clientId]);
    await expect(tried).rejects.toThrow('audit_log is append-only');
  });

  test('go if their client is named, and the next transaction names nobody', async () => {
    expect(await remove(client, client.clientId)).toBeGreaterThan(0);
    await expect(remove(other, null)).rejects.toThrow(refused);
  });
});
