/**
 * How far telling an event is. What came of an attempt is written only while the lease of its job is held; a crash before
 * that leaves the row as it was, and the job comes due again.
 */
import { Injectable } from '@nestjs/common';
import type { EventType, ListPlace } from '#libs/domain';
import { COMMITS_WITHOUT_DISK, Db, madeBefore } from '#libs/db';
import type { HeldJob } from '#libs/jobs';
import type { EventStatus } from './event-status';

/** An event that is attempted under the lease of a job, as it was when the attempt began. */
export interface Attempted {
  id: string;
  clientId: string;
  job: HeldJob;
  attempts: number;
  /** With `attempts`: a replay that starts it over changes one of the two. */
  dueAt: string | null;
}

export interface MadeAttempt {
  startedAt: Date;
  durationMs: number;
  host: string;
  /** null if no answer came. */
  statusCode: number | null;
  /** null if it was delivered. */
  error: string | null;
  /** The beginning of the answer. */
  excerpt: string | null;
}

export interface AttemptRecord {
  status: 'delivered' | 'pending' | 'failed';
  attempts: number;
  statusCode: number | null;
  error: string | null;
  againInSeconds: number | null;
  /** null if nothing was sent. */
  attempt: MadeAttempt | null;
}

export interface Made {
  event: Attempted;
  record: AttemptRecord;
}

/**
 * `lost`: the job is somebody else's by now, or the event was started over, and this attempt has no say. `last`: of its
 * entity's events no other waits for its first attempt.
 */
export type Recorded = 'lost' | 'last' | 'more';

export interface ReplayChoice {
  clientId: string;
  status: EventStatus;
  from: Date;
  to: Date;
}

export interface Replayed extends ListPlace {
  entityId: string;
}

@Injectable()
export class EventBook {
  constructor(private readonly db: Db) {}

  /** In order. No attempt is written without its event. Waits for whoever holds one. */
  async record(made: Made[]): Promise<Recorded[]> {
    const recorded = await this.recorded(recordStatement(''), made);
    return made.map((_, place) => recorded.get(place) ?? 'lost');
  }

  /** The same without waiting: what is 'busy' somebody holds, or it is lost. */
  async recordFree(made: Made[]): Promise<(Recorded | 'busy')[]> {
    const recorded = await this.recorded(recordStatement('SKIP LOCKED'), made);
    return made.map((_, place) => recorded.get(place) ?? 'busy');
  }

  private async recorded(statement: string, made: Made[]): Promise<Map<number, 'more' | 'last'>> {
    const rows = await this.db.rows<{ place: number; more: boolean }>(statement, [JSON.stringify(made.map(rowOf))]);
    return new Map(rows.map(({ place, more }) => [place, more ? 'more' : 'last'] as const));
  }

  /** An attempt that has no say was made all the same: whoever looks for it finds it, after those that counted. */
  async recordLate({ event: { id }, record: { attempt, statusCode } }: Made): Promise<void> {
    if (!attempt) return;
    const { startedAt, durationMs, host, error, excerpt } = attempt;
    await this.db.inTransaction(async () => {
      await this.db.execute('SELECT FROM events WHERE id = $1 FOR UPDATE', [id]);
      await this.db.execute(RECORD_LATE, [id, startedAt, durationMs, host, statusCode, error, excerpt]);
    });
  }

  /** As if it had never been attempted, and whoever is at it now no longer has a say. */
  async startOver(id: string): Promise<void> {
    await this.db.execute(`UPDATE events SET ${ANEW} WHERE id = $1`, [id]);
  }

  /** The same for a page of a client's events, oldest first. */
  startOverPage(
    choice: ReplayChoice & { types: EventType[] },
    after: ListPlace | null,
    limit: number,
  ): Promise<Replayed[]> {
    const { clientId, status, from, to, types } = choice;
    const place = [after?.createdUs ?? null, after?.id ?? null];
    return this.db.rows<Replayed>(START_OVER_PAGE, [clientId, status, from, to, ...place, limit, types]);
  }

  /**
   * Some of those that were made so long ago, and are over, with their attempts: so many of both at most, but one event at least. Returns how
   * many events, 0 once none is left.
   */
  async forget(days: number, most: { events: number; attempts: number }): Promise<number> {
    const row = await this.db.row<{ forgotten: number }>(FORGET, [days, most.events, most.attempts]);
    return row?.forgotten ?? 0;
  }
}

const rowOf = ({ event: { id, job, attempts, dueAt }, record }: Made, place: number): Record<string, unknown> => ({
  ...{ place, event_id: id, job_name: job.name, job_entity: job.entityId, lease_token: job.leaseToken },
  ...{ known_attempts: attempts, known_due: dueAt },
  ...{ status: record.status, attempts: record.attempts, status_code: record.statusCode, error: record.error },
  ...{ again_in: record.againInSeconds, sent: record.attempt !== null },
  ...{ started_at: record.attempt?.startedAt, duration_ms: record.attempt?.durationMs, host: record.attempt?.host },
  ...{ kind: record.attempt?.error, excerpt: record.attempt?.excerpt },
});

/**
 * Many at once, locked in one order. Who claims a job passes over one whose row is locked: its lease stays as it was found
 * until this is committed. Adding to a job that is there waits for nothing. It also tells whether the entity is through: what
 * is added to it meanwhile brings its job along. Should PostgreSQL crash before it is on the disk, the event is told
 * once more; what is written with it in one transaction goes along.
 */
const recordStatement = (others: '' | 'SKIP LOCKED'): string => `
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS t (place int, event_id uuid, job_name text, job_entity uuid,
      lease_token uuid, known_attempts int, known_due timestamptz, status text, attempts int, status_code int, error text,
      again_in float8, sent boolean, started_at timestamptz, duration_ms int, host text, kind text, excerpt text)
    LIMIT json_array_length($1::json) -- all of them: without it they are taken for so many that all jobs are read
  ), held AS MATERIALIZED (
    SELECT given.place AS held_place FROM given JOIN jobs
      ON jobs.name = given.job_name AND jobs.entity_id = given.job_entity AND jobs.lease_token = given.lease_token
    ORDER BY jobs.name, jobs.entity_id FOR KEY SHARE OF jobs ${others}
  ), mine AS MATERIALIZED (
    SELECT given.* FROM given JOIN held ON held_place = place JOIN events ON events.id = event_id
    WHERE events.status = 'pending' AND events.attempts = known_attempts
      AND events.next_attempt_at IS NOT DISTINCT FROM known_due
    ORDER BY events.id FOR UPDATE OF events ${others}
  ), recorded AS (
    UPDATE events SET
      status = mine.status,
      attempts = mine.attempts,
      last_status_code = mine.status_code,
      last_error = mine.error,
      next_attempt_at = now() + mine.again_in * interval '1 second',
      delivered_at = CASE WHEN mine.status = 'delivered' THEN now() END
    FROM mine WHERE events.id = mine.event_id RETURNING mine.place, events.id, events.entity_id
  ), attempt AS (
    INSERT INTO event_attempts (event_id, number, started_at, duration_ms, host, status_code, error, excerpt)
    SELECT event_id, coalesce((SELECT max(number) FROM event_attempts WHERE event_attempts.event_id = mine.event_id), 0) + 1,
      started_at, duration_ms, host, status_code, kind, excerpt
    FROM mine WHERE sent
  )
  SELECT place, ${COMMITS_WITHOUT_DISK} AS waits_for_disk, EXISTS (
    SELECT FROM events WHERE entity_id = recorded.entity_id AND id <> recorded.id AND status = 'pending' AND attempts = 0
  ) AS more FROM recorded`;

const RECORD_LATE = `
  INSERT INTO event_attempts (event_id, number, started_at, duration_ms, host, status_code, error, excerpt)
  SELECT $1, coalesce(max(number), 0) + 1, $2::timestamptz, $3::int, $4, $5::int, $6, $7
  FROM event_attempts WHERE event_id = $1 HAVING EXISTS (SELECT FROM events WHERE id = $1)`;

const ANEW = `status = 'pending', attempts = 0, next_attempt_at = now(), last_status_code = NULL, last_error = NULL,
  delivered_at = NULL`;

/** A page is merged from those of each type, so that each is read off an index in its order. */
const START_OVER_PAGE = `
  WITH chosen AS (
    SELECT chosen_id FROM unnest($8::text[]) AS wanted_type CROSS JOIN LATERAL (
      SELECT id AS chosen_id, created_at FROM events
      WHERE client_id = $1 AND type = wanted_type AND status = $2 AND created_at >= $3 AND created_at < $4
        AND ($5::bigint IS NULL OR (created_at, id) > (to_timestamp(0) + $5::bigint * interval '1 microsecond', $6::uuid))
      ORDER BY created_at, id LIMIT $7
    ) AS of_type
    ORDER BY created_at, chosen_id LIMIT $7
  ), held AS (
    SELECT id AS held_id FROM events JOIN chosen ON id = chosen_id WHERE status = $2 ORDER BY id FOR UPDATE OF events
  ), changed AS (
    UPDATE events SET ${ANEW} FROM held WHERE id = held_id RETURNING id, entity_id, created_at
  )
  SELECT id, entity_id, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM changed ORDER BY created_at, id`;

const FORGET = `
  WITH counted AS (
    SELECT id, row_number() OVER oldest AS place, sum(coalesce((
      SELECT max(number) FROM event_attempts WHERE event_id = over.id), 0)) OVER oldest AS attempts
    FROM (SELECT id FROM events WHERE id < ${madeBefore('$1')} AND status <> 'pending' ORDER BY id LIMIT $2) AS over
    WINDOW oldest AS (ORDER BY id)
  ), old AS MATERIALIZED (
    SELECT id FROM events WHERE id IN (SELECT id FROM counted WHERE attempts <= $3 OR place = 1) AND status <> 'pending'
    ORDER BY id FOR UPDATE SKIP LOCKED
  ), attempts AS (
    DELETE FROM event_attempts WHERE event_id IN (SELECT id FROM old)
  ), gone AS (
    DELETE FROM events WHERE id IN (SELECT id FROM old) RETURNING id
  )
  SELECT count(*)::int AS forgotten FROM gone`;
