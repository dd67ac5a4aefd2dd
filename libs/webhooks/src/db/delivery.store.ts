/**
 * Events on their way. Whoever attempts one holds the lease of its job meanwhile, and what came of the attempt is written
 * only while it is still held. A crash in between leaves the row as it was, and the job comes due again.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { EVENT_TYPES, type EventType } from '#libs/domain';
import type { HeldJob } from '#libs/jobs';
import type { EventAttempt } from '../event';
import { RECEIVER_STATE, REST_SECONDS, RESTING } from './receiver.store';

export interface DueEvent {
  id: string;
  clientId: string;
  type: EventType;
  entityId: string;
  sequence: number;
  /** The payload's exact text. */
  body: string;
  /** Those made before this one. */
  attempts: number;
  /** With `attempts`: a replay that starts it over changes one of the two. */
  dueAt: string | null;
  /** null if its receiver did not fail the last time. */
  receiver: 'rested' | 'failing' | null;
}

/** An event that is attempted under the lease of this job. */
export interface HeldEvent extends DueEvent {
  job: HeldJob;
}

export interface AttemptRecord {
  status: 'delivered' | 'pending' | 'failed';
  attempts: number;
  statusCode: number | null;
  error: string | null;
  againInSeconds: number | null;
  /** null if nothing was sent. */
  attempt: Omit<EventAttempt, 'number'> | null;
}

export interface Made {
  event: HeldEvent;
  record: AttemptRecord;
}

/**
 * `lost`: the job is somebody else's by now, or the event was started over, and this attempt has no say. `last`: of its
 * entity's events no other waits for its first attempt.
 */
export type Recorded = 'lost' | 'last' | 'more';

export interface Forgotten {
  id: string;
  lane: string;
}

@Injectable()
export class DeliveryStore {
  constructor(private readonly db: Db) {}

  /** Of each entity the earliest event that was never attempted; none where all were, or its receiver rests. */
  firstOf(entityIds: string[]): Promise<DueEvent[]> {
    return this.db.rows<DueEvent>(FIRST_OF, [entityIds]);
  }

  /** Seconds until the entity's next first attempt may be made; null if all events had theirs. */
  async waitForFirst(entityId: string): Promise<number | null> {
    return (await this.db.row<{ seconds: number }>(WAIT_FIRST, [entityId]))?.seconds ?? null;
  }

  /** null if the event is not due again, or its receiver rests. */
  again(id: string): Promise<DueEvent | null> {
    return this.db.row<DueEvent>(AGAIN, [id]);
  }

  /** Seconds until a further attempt may be made; null if none is to be made. */
  async waitFor(id: string): Promise<number | null> {
    return (await this.db.row<{ seconds: number }>(WAIT, [id]))?.seconds ?? null;
  }

  /** In order. No attempt is written without its event. */
  async record(made: Made[]): Promise<Recorded[]> {
    const rows = await this.db.rows<{ place: number; more: boolean }>(RECORD, [JSON.stringify(made.map(rowOf))]);
    const recorded = new Map(rows.map(({ place, more }) => [place, more ? 'more' : 'last'] as const));
    for (const [place, { event, record }] of made.entries())
      if (!recorded.has(place) && record.attempt) await this.recordLate(event.id, record.statusCode, record.attempt);
    return made.map((_, place) => recorded.get(place) ?? 'lost');
  }

  /** It was made all the same, and whoever looks for it finds it, after those that counted. */
  private recordLate(
    id: string,
    statusCode: number | null,
    { startedAt, durationMs, host, error, excerpt }: Omit<EventAttempt, 'number'>,
  ): Promise<void> {
    return this.db.inTransaction(async () => {
      await this.db.execute('SELECT FROM events WHERE id = $1 FOR UPDATE', [id]);
      await this.db.execute(RECORD_LATE, [id, startedAt, durationMs, host, statusCode, error, excerpt]);
    });
  }

  /** What is still to be attempted of a client, the oldest: entities whose first attempts wait, and single events. */
  waiting(clientId: string, limit: number): Promise<{ id: string; first: boolean }[]> {
    return this.db.rows<{ id: string; first: boolean }>(WAITING, [clientId, EVENT_TYPES, limit]);
  }

  /** Entities with an event that should have been attempted by now and that nobody is going to. */
  unannounced(graceSeconds: number, limit: number): Promise<Forgotten[]> {
    return this.db.rows<Forgotten>(UNANNOUNCED, [graceSeconds, limit]);
  }

  /** Events that should have been attempted again by now and that nobody is going to. */
  unretried(graceSeconds: number, limit: number): Promise<Forgotten[]> {
    return this.db.rows<Forgotten>(UNRETRIED, [graceSeconds, limit]);
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

const UNATTEMPTED = `status = 'pending' AND attempts = 0`;
const DUE = `events.id, client_id, type, entity_id, sequence, payload::text AS body, attempts, next_attempt_at::text AS due_at,
  ${RECEIVER_STATE} AS receiver`;

const FIRST_OF = `
  SELECT ${DUE} FROM unnest($1::uuid[]) AS wanted (wanted_id) CROSS JOIN LATERAL (
    SELECT * FROM events WHERE entity_id = wanted_id AND ${UNATTEMPTED} ORDER BY sequence LIMIT 1
  ) AS events
  WHERE NOT ${RESTING}`;

const AGAIN = `
  SELECT ${DUE} FROM events
  WHERE id = $1 AND status = 'pending' AND attempts > 0 AND next_attempt_at <= now() AND NOT ${RESTING}`;

const WAIT_FIRST = `
  SELECT greatest(1, ${REST_SECONDS}) AS seconds FROM events WHERE entity_id = $1 AND ${UNATTEMPTED} ORDER BY sequence LIMIT 1`;

const WAIT = `
  SELECT greatest(1, ceil(extract(epoch FROM next_attempt_at - now())), ${REST_SECONDS})::int AS seconds
  FROM events WHERE id = $1 AND status = 'pending' AND attempts > 0`;

/**
 * Many at once, locked in one order. Who claims a job passes over one whose row is locked: its lease stays as it was found
 * until this is committed. Adding to a job that is there waits for nothing. It also tells whether the entity is through: what
 * is added to it meanwhile brings its job along.
 */
const RECORD = `
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS t (place int, event_id uuid, job_name text, job_entity uuid,
      lease_token uuid, known_attempts int, known_due timestamptz, status text, attempts int, status_code int, error text,
      again_in float8, sent boolean, started_at timestamptz, duration_ms int, host text, kind text, excerpt text)
  ), held AS MATERIALIZED (
    SELECT given.place AS held_place FROM given JOIN jobs
      ON jobs.name = given.job_name AND jobs.entity_id = given.job_entity AND jobs.lease_token = given.lease_token
    ORDER BY jobs.name, jobs.entity_id FOR KEY SHARE OF jobs
  ), mine AS MATERIALIZED (
    SELECT given.* FROM given JOIN held ON held_place = place JOIN events ON events.id = event_id
    WHERE events.status = 'pending' AND events.attempts = known_attempts
      AND events.next_attempt_at IS NOT DISTINCT FROM known_due
    ORDER BY events.id FOR UPDATE OF events
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
  SELECT place, EXISTS (
    SELECT FROM events WHERE entity_id = recorded.entity_id AND id <> recorded.id AND ${UNATTEMPTED}
  ) AS more FROM recorded`;

const RECORD_LATE = `
  INSERT INTO event_attempts (event_id, number, started_at, duration_ms, host, status_code, error, excerpt)
  SELECT $1, coalesce(max(number), 0) + 1, $2::timestamptz, $3::int, $4, $5::int, $6, $7
  FROM event_attempts WHERE event_id = $1`;

const WAITING = `
  SELECT DISTINCT CASE WHEN attempts = 0 THEN entity_id ELSE id END AS id, attempts = 0 AS first
  FROM unnest($2::text[]) AS wanted_type CROSS JOIN LATERAL (
    SELECT id, entity_id, attempts FROM events WHERE client_id = $1 AND type = wanted_type AND status = 'pending'
    ORDER BY created_at, id LIMIT $3
  ) AS pending`;

/** A replayed event is as old as ever, so its wait counts from the replay, which set next_attempt_at. */
const UNANNOUNCED = `
  SELECT DISTINCT entity_id AS id, client_id::text AS lane FROM events
  WHERE ${UNATTEMPTED} AND coalesce(next_attempt_at, created_at) < now() - $1::float8 * interval '1 second'
    AND NOT EXISTS (SELECT FROM jobs WHERE name = 'events.announce' AND jobs.entity_id = events.entity_id)
  LIMIT $2`;

const UNRETRIED = `
  SELECT id, client_id::text AS lane FROM events
  WHERE status = 'pending' AND attempts > 0 AND next_attempt_at < now() - $1::float8 * interval '1 second'
    AND NOT EXISTS (SELECT FROM jobs WHERE name = 'event.retry' AND jobs.entity_id = events.id)
  LIMIT $2`;
