/** Rows that somebody else holds for as long as a spec wants, and whether anybody waits for them. */
import type { Db } from '#libs/db';
import { happening } from './happening';

/** The rows that this locks are held until they are let go. */
export async function holding(db: Db, sql: string, values: unknown[]): Promise<() => Promise<void>> {
  const [held, mayEnd] = [happening(), happening()];
  const holder = db.inTransaction(async () => {
    await db.rows(sql, values);
    await db.execute('SET LOCAL idle_in_transaction_session_timeout = 0');
    held.happens();
    await mayEnd.promise;
  });
  await Promise.race([held.promise, holder]);
  return () => {
    mayEnd.happens();
    return holder;
  };
}

/** Once each of these rows was waited for, be it for a moment. */
export async function waitedFor(db: Db, table: string, where: string, values: unknown[]): Promise<void> {
  const places = async (sql: string, more: unknown[] = []): Promise<string[]> =>
    (await db.rows<{ place: string }>(sql, more)).map(({ place }) => place);
  const missing = new Set(await places(`SELECT ctid::text AS place FROM ${table} WHERE ${where}`, values));
  while (missing.size > 0) for (const place of await places(WAITED_FOR, [table])) missing.delete(place);
}

const WAITED_FOR = `
  SELECT format('(%s,%s)', page, tuple) AS place FROM pg_locks
  WHERE locktype = 'tuple' AND relation = $1::regclass AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
