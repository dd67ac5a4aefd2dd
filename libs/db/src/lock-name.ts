import type { Db } from './db';

/** Of no row: what it keeps others from may not be there yet. It is held until the transaction ends. */
export async function lockName(db: Db, name: string): Promise<void> {
  await db.row('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
