/** Tells older processes that the database is about to become one they do not understand, and sees that they are gone. */
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { log } from '#libs/telemetry';
import { FLOOR_CHANNEL } from './code-version';
import { OF_OUR_PROCESSES } from './session-name';

const LOOK_MS = 200;
const ENDING_MS = 5_000;

/** In a transaction of its own, so that everybody sees it now. */
export async function announce(client: PoolClient, version: number): Promise<void> {
  log.warn({ event: 'version.announced', version }, 'a migration comes that older processes must not see: they stop');
  await client.query('UPDATE code_floor SET announced_code = $1', [version]);
  await client.query(`NOTIFY ${FLOOR_CHANNEL}`);
}

/** Done, or failed, or left by an announcer who was killed: then older processes go on. */
export async function takeBack(client: PoolClient): Promise<void> {
  const isTaken = await client.query(TAKE_BACK).then(
    ({ rowCount }) => rowCount !== 0,
    () => false, // without us it does not count
  );
  if (isTaken) await client.query(`NOTIFY ${FLOOR_CHANNEL}`).catch(() => undefined);
}

/**
 * A process that has nothing left to do closes its sessions. A session that is not closed in time is ended: its process is frozen, cut
 * off or busy for longer than anything takes, and finds out when it connects again.
 */
export async function endOlderSessions(client: PoolClient, version: number, graceMs: number): Promise<void> {
  const until = performance.now() + graceMs;
  while ((await olderSessions(client, version)).length > 0 && performance.now() < until) await pause(LOOK_MS);
  for (let left = await olderSessions(client, version); left.length > 0; left = await olderSessions(client, version)) {
    log.warn({ event: 'version.sessions_ended', count: left.length }, 'ending what older processes have not closed');
    await client.query('SELECT pg_terminate_backend(pid, $2) FROM unnest($1::int[]) AS pid', [left, ENDING_MS]);
  }
}

async function olderSessions(client: PoolClient, version: number): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(OLDER, [version]);
  return rows.map(({ pid }) => pid);
}

const TAKE_BACK = 'UPDATE code_floor SET announced_code = NULL WHERE announced_code IS NOT NULL';

const OLDER = `
  SELECT pid FROM pg_stat_activity
  WHERE ${OF_OUR_PROCESSES} AND right(application_name, 13)::bigint < $1`;
