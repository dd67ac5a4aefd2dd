/**
 * A database that lies elsewhere than it says of itself is a copy, or a standby that became the primary: what was committed since, or did not
 * get there in time, is forgotten, and rails may have paid it. Before anything is asked of it, it is marked as a restored one (ADR 129).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, QueryConfig } from 'pg';
import { log } from '#libs/telemetry';

/** What the owner of the database says of its standbys. */
export type Failover = 'may_lose' | 'loses_nothing';

/** What a server does not tell is no difference. */
const LIES_ELSEWHERE = `(was.server <> now.server OR was.timeline <> now.timeline OR was.made_as <> now.made_as)`;

export const IS_ELSEWHERE = `EXISTS (SELECT FROM database_place AS was, place_now() AS now WHERE ${LIES_ELSEWHERE})`;

/** A standby that follows its primary has none of them. Who recovers up to some moment mostly leaves it in the settings. */
const WENT_BACK = `EXISTS (SELECT FROM pg_settings WHERE setting <> ''
  AND name IN ('recovery_target', 'recovery_target_lsn', 'recovery_target_name', 'recovery_target_time', 'recovery_target_xid'))`;

/** Processes that find it at the same moment mark it one after the other: whoever comes second finds it marked. */
const HELD_WHILE_ELSEWHERE = `
  SELECT coalesce(was.server <> now.server OR was.made_as <> now.made_as, false) AS "isCopy", ${WENT_BACK} AS "wentBack"
  FROM database_place AS was, place_now() AS now WHERE ${LIES_ELSEWHERE} FOR UPDATE OF was`;

/** Of a copy that nobody worked on, or a standby that had all: nothing is forgotten there. */
export const AT_HOME_HERE = 'UPDATE database_place SET (server, timeline, made_as) = (SELECT * FROM place_now())';

const MARKS = readFileSync(join(__dirname, 'restored.sql'), 'utf8');

/** Then its server is gone, or somebody has to look. */
const MARKED_WITHIN = { query_timeout: 600_000 };

/** Of what is on its way there may be very much, and nothing is done before it is marked: who comes meanwhile waits for as long. */
const BEGIN_FOR_LONG = `BEGIN; SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout', 'transaction_timeout')`;

const SAID = {
  marked:
    'the database is a copy, or a standby that was promoted, and may have forgotten payments: owed rows wait until each rail was compared with (gw rails)',
  kept: 'a standby was promoted, and DATABASE_FAILOVER says that it lacked nothing',
};

interface Elsewhere {
  isCopy: boolean;
  wentBack: boolean;
}

export class DatabasePlace {
  private readonly marksOfOthers: QueryConfig[] = [];

  constructor(private readonly failover: Failover = 'may_lose') {}

  /** Set in the same transaction. */
  alsoMark(mark: QueryConfig): void {
    this.marksOfOthers.push(mark);
  }

  /** On a connection that nobody uses yet. */
  async notice(client: Client): Promise<void> {
    await client.query(BEGIN_FOR_LONG);
    const { rows } = await client.query<Elsewhere>({ text: HELD_WHILE_ELSEWHERE, ...MARKED_WITHIN });
    const [found] = rows;
    const isForgetful = found !== undefined && (found.isCopy || found.wentBack || this.failover === 'may_lose');
    const due = isForgetful ? [{ text: MARKS }, ...this.marksOfOthers] : [{ text: AT_HOME_HERE }];
    if (found) for (const statement of due) await client.query({ ...statement, ...MARKED_WITHIN });
    await client.query('COMMIT');
    if (isForgetful) log.error({ event: 'database.elsewhere' }, SAID.marked);
    else if (found) log.warn({ event: 'database.promoted' }, SAID.kept);
  }
}
