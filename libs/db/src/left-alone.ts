/**
 * A long reader of our tables, such as a backup, keeps a migration from changing them. It is waited for before older processes are told to
 * stop: otherwise they would stand still for as long, and again with each start that gives up.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { log } from '#libs/telemetry';
import { SESSION_NAME } from './session-name';

/** A reader that is gone by the next look was short: there is always somebody reading. */
const LOOK_MS = 500;

/** False if it took longer than that. */
export async function leftAlone(client: PoolClient, withinMs: number): Promise<boolean> {
  let before = await readers(client);
  if (before.length > 0) log.info({ event: 'migration.waits' }, 'somebody reads tables that may be changed; waiting');
  for (const until = performance.now() + withinMs; before.length > 0;) {
    if (performance.now() >= until) return false;
    await pause(LOOK_MS);
    const now = await readers(client);
    before = before.filter((transaction) => now.includes(transaction));
  }
  return true;
}

/** The transactions that hold a table of ours and are none of this service's. */
async function readers(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ transaction: string }>(READERS);
  return rows.map(({ transaction }) => transaction);
}

const READERS = `
  SELECT DISTINCT held.virtualtransaction AS transaction
  FROM pg_locks AS held JOIN pg_stat_activity AS session USING (pid) JOIN pg_class ON pg_class.oid = held.relation
  WHERE held.locktype = 'relation' AND held.granted AND pg_class.relkind = 'r'
    AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND pg_class.relnamespace = current_schema()::text::regnamespace
    AND session.usesysid IS NOT NULL AND session.application_name NOT LIKE '${SESSION_NAME}%'`;
