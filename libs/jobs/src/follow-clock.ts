/**
 * The database's clock may be set back, as by a failover to a machine whose clock is behind. Jobs would wait for as long as it was: each that is due
 * at a time, and what a worker held that is gone. They come forward by as much.
 */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Db } from '#libs/db';
import { log } from '#libs/telemetry';
import { AtStart } from './at-start';

@Injectable()
export class FollowClock {
  constructor(private readonly db: Db) {}

  @Interval(1_000)
  @AtStart()
  async onSchedule(): Promise<void> {
    await this.follow().catch(({ message: error }: Error) =>
      log.warn({ event: 'jobs.clock_not_followed', error }, 'tried again soon'),
    );
  }

  async follow(): Promise<void> {
    if ((await this.db.row(IS_TO_FOLLOW)) === null) return;
    const moved = await this.db.row<{ seconds: number; jobs: number }>(FOLLOW);
    if (moved && moved.jobs > 0)
      log.warn({ event: 'jobs.came_forward', ...moved }, 'the clock of the database was set back');
  }
}

/** Written down now and then, and at once if the clock went to and fro: it may be set ahead for a moment only, in which jobs are written too. */
const IS_TO_FOLLOW = `
  SELECT FROM jobs_clock WHERE seen_at NOT BETWEEN clock_timestamp() - interval '15 seconds' AND clock_timestamp()`;

/**
 * Of processes that look at once one follows it. A lease that was taken since the clock was set back is no longer than ten seconds, and stays as it is.
 * Whoever has a job locked now is about to say by the clock as it is when it is due.
 */
const FOLLOW = `
  WITH seen AS MATERIALIZED (SELECT seen_at FROM jobs_clock FOR UPDATE SKIP LOCKED),
  clock AS MATERIALIZED (SELECT seen_at - clock_timestamp() AS ahead, clock_timestamp() AS at FROM seen),
  told AS (UPDATE jobs_clock SET seen_at = at FROM clock),
  free AS MATERIALIZED (
    SELECT name, entity_id FROM (SELECT at FROM clock WHERE ahead > interval '10 seconds') AS back
    CROSS JOIN LATERAL (SELECT name, entity_id FROM jobs WHERE run_at > at + interval '10 seconds' FOR NO KEY UPDATE SKIP LOCKED) AS late
  ),
  moved AS (
    UPDATE jobs SET run_at = run_at - ahead FROM clock, free
    WHERE jobs.name = free.name AND jobs.entity_id = free.entity_id RETURNING 1
  )
  SELECT extract(epoch FROM ahead)::float8 AS seconds, (SELECT count(*)::int FROM moved) AS jobs FROM clock`;
