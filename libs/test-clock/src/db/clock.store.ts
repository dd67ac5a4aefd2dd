/** Moves the times of one client's rows into the past, in the transaction of whoever asks for it. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { JobName } from '#libs/jobs';
import { keepsTimes } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { takeTurn } from './long-turn';
import { CLIENT_TIMES, moveOf, PASSED, RAIL_RECORDS } from './times';

export interface DueJobs {
  name: JobName;
  count: number;
}

@Injectable()
export class ClockStore {
  constructor(
    private readonly db: Db,
    private readonly rails: Rails,
  ) {}

  /** Nobody decides on the client's money meanwhile, and whoever moves its times as well does so afterwards. */
  async hold(clientId: string): Promise<void> {
    await takeTurn(this.db, clientId);
    for (const lock of LOCKS) await this.db.execute(lock, [clientId]);
  }

  /** Whether so much can pass: what is oldest of a client is itself, and a time before 1970 is no place in a list. */
  async canPass(clientId: string, seconds: number): Promise<boolean> {
    const client = await this.db.row('SELECT FROM clients WHERE id = $1 AND created_at > to_timestamp($2::bigint)', [
      clientId,
      seconds,
    ]);
    return client !== null;
  }

  /** All tables, in the order of the list. Returns the jobs that came due by it. */
  async move(clientId: string, seconds: number): Promise<DueJobs[]> {
    await this.db.execute(`SELECT set_config('gateway.seconds_passed', $1, true)`, [String(seconds)]);
    for (const move of MOVES) await this.db.execute(move, [clientId, seconds]);
    for (const { definition, rail } of this.rails.all()) {
      if (!rail || !keepsTimes(rail)) continue;
      const { keyPrefix, properties } = rail.timesKept();
      await this.db.execute(MOVE_RECORDS, [clientId, seconds, keyPrefix, properties, definition.name]);
    }
    await this.db.execute(LOCK_JOBS, [clientId]);
    return this.db.rows<DueJobs>(MOVE_JOBS, [clientId, seconds]);
  }
}

/** In the order in which everybody locks them. */
const LOCKS = [
  'SELECT FROM clients WHERE id = $1 FOR NO KEY UPDATE',
  'SELECT FROM payees WHERE client_id = $1 ORDER BY id FOR NO KEY UPDATE',
  'SELECT FROM payouts WHERE client_id = $1 ORDER BY id FOR NO KEY UPDATE',
];

const { jobs, ...others } = CLIENT_TIMES;
const MOVES = Object.entries(others).map(([table, times]) => moveOf(table, times));
const MOVE_RECORDS = moveOf('rail_records', RAIL_RECORDS);
const LOCK_JOBS = `SELECT FROM jobs WHERE ${jobs?.of} ORDER BY name, entity_id FOR NO KEY UPDATE`;
const MOVE_JOBS = `
  WITH moved AS (
    ${jobs && moveOf('jobs', jobs)}
    RETURNING name, lease_token IS NULL AND run_at <= now() AND run_at + ${PASSED} > now() AS came_due
  )
  SELECT name, count(*)::int AS count FROM moved WHERE came_due GROUP BY name ORDER BY name`;
