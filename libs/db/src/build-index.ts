/** An index on a table that is written all the time: whoever writes goes on while it is built, or dropped. */
import type { QueryRunner } from 'typeorm';
import { OF_OUR_PROCESSES, WATCH_NAME } from './session-name';

/** For transactions from before it, such as a backup's. It keeps nobody while it waits. */
const PATIENCE = '10min';

/** Longer than PostgreSQL takes to end an autovacuum that is in the way; nobody of ours waits behind it. */
const PATIENCE_ALONE = '5s';

/** How it is built, or dropped, by whether anybody of ours is there to be kept waiting. */
type Way = 'CONCURRENTLY' | '';

/**
 * For migrations outside a transaction (`transaction = false`). Such a one may be cut off at any moment, and is then run again: what is left of
 * a build that was cut off is never used, and goes first. `on` is the rest of the statement: `payouts (payee_id) WHERE …`.
 */
export const buildIndex = (runner: QueryRunner, name: string, on: string): Promise<void> =>
  patiently(runner, async (way) => {
    const [cutOff] = await runner.query(CUT_OFF, [name]);
    if (cutOff) await runner.query(`DROP INDEX ${way} ${name}`);
    await runner.query(`CREATE INDEX ${way} IF NOT EXISTS ${name} ON ${on}`);
  });

/** The same for one that nobody needs any more. */
export const dropIndex = (runner: QueryRunner, name: string): Promise<void> =>
  patiently(runner, (way) => runner.query(`DROP INDEX ${way} IF EXISTS ${name}`));

/**
 * Once older code had to stop, or before anybody started, nobody of ours is kept waiting by a plain statement, and everybody by one that waits
 * for whatever transaction is open in this database.
 */
async function patiently(runner: QueryRunner, work: (way: Way) => Promise<void>): Promise<void> {
  const [before] = await runner.query(LIMITS);
  const way = before?.alone ? '' : 'CONCURRENTLY';
  try {
    await runner.query(SET_LIMITS, [way ? PATIENCE : PATIENCE_ALONE, '0']);
    await work(way);
  } finally {
    // A connection that is lost has no limits to set back, and what ended the work is what counts.
    await runner.query(SET_LIMITS, [before?.lock, before?.statement]).catch(() => undefined);
  }
}

const LIMITS = `
  SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement,
    EXISTS (SELECT FROM code_floor WHERE announced_code IS NOT NULL) OR NOT EXISTS (
      SELECT FROM pg_stat_activity WHERE ${OF_OUR_PROCESSES} OR (datname = current_database() AND application_name = '${WATCH_NAME}')
    ) AS alone`;
const SET_LIMITS = `SELECT set_config('lock_timeout', $1, false), set_config('statement_timeout', $2, false)`;
const CUT_OFF = 'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid';
