/** How many rows statements go through that a connection planned in an idle time, once many wait. */
import type { Db } from '#libs/db';

/** As whenever nothing waits: autovacuum was there after the last burst, and does not come again. */
export async function noJobs(db: Db): Promise<void> {
  await db.execute('ALTER TABLE jobs SET (autovacuum_enabled = false)');
  await db.execute('DELETE FROM jobs');
  await db.execute('VACUUM ANALYZE jobs');
}

/** A burst. `inSeconds`: when they are due. */
export const manyJobs = (db: Db, count: number, name: string, inSeconds: number): Promise<unknown> =>
  db.execute(
    `INSERT INTO jobs (name, entity_id, lane, owner, run_at, created_at)
     SELECT $1, gen_random_uuid(), 'rail', 'loud', now() + $3::float8 * interval '1 second', now() FROM generate_series(1, $2::int)`,
    [name, count, inSeconds],
  );

/** How many rows of a table were read so far, by this connection and all that have told of it. */
export async function rowsRead(db: Db, table = 'jobs'): Promise<number> {
  await db.rows('SELECT pg_stat_force_next_flush()');
  const row = await db.row<{ count: number }>(
    `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS count FROM pg_stat_user_tables WHERE relname = $1`,
    [table],
  );
  return row?.count ?? 0;
}
