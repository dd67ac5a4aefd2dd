/**
 * Events on their way. Whoever attempts one holds its lease meanwhile; what came of the attempt is written only by the
 * holder. A crash in between leaves the row as it was, and the lease runs out: the attempt is made again.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { EVENT_TYPES, type EventType } from '#libs/domain';
import { DELIVERY_LIMITS, type DeliveryLimits } from '../delivery';
import type { EventAttempt } from '../event';
import { RECEIVER_STATE, REST_SECONDS, RESTING } from './receiver.store';

export interface LeasedEvent {
  id: string;
  clientId: string;
  type: EventType;
  entityId: string;
  sequence: number;
  /** The payload's exact text. */
  body: string;
  /** Those made before this one. */
  attempts: number;
  leaseToken: string;
  /** null where its receiver did not fail the last time. */
  receiver: 'rested' | 'failing' | null;
}

export interface AttemptRecord {
  status: 'delivered' | 'pending' | 'failed';
  attempts: number;
  statusCode: number | null;
  error: string | null;
  againInSeconds: number | null;
  /** null where nothing was sent. */
  attempt: Omit<EventAttempt, 'number'> | null;
}

/** `lost`: the lease is no longer ours, and somebody else's word counts. `last`: its entity has no first attempt left. */
export type Recorded = 'lost' | 'last' | 'more';

export interface Forgotten {
  id: string;
  lane: string;
}

@Injectable()
export class DeliveryStore {
  constructor(
    private readonly db: Db,
    @Inject(DELIVERY_LIMITS) private readonly limits: DeliveryLimits,
  ) {}

  /** The entity's earliest event that was never attempted; null where there is none, it is leased, or its receiver rests. */
  leaseFirst(entityId: string): Promise<LeasedEvent | null> {
    return this.db.row<LeasedEvent>(LEASE_FIRST, [entityId, this.limits.leaseSeconds]);
  }

  /** Keeps the lease while an attempt goes on. */
  async renew({ id, leaseToken }: LeasedEvent): Promise<void> {
    await this.db.execute(RENEW, [id, leaseToken, this.limits.leaseSeconds]);
  }

  /** Lets go of an event that was not attempted after all. */
  async giveBack({ id, leaseToken }: LeasedEvent): Promise<void> {
    await this.db.execute(GIVE_BACK, [id, leaseToken]);
  }

  /** Seconds until the entity's next first attempt may be made; null where all events had theirs. */
  async waitForFirst(entityId: string): Promise<number | null> {
    return (await this.db.row<{ seconds: number }>(WAIT_FIRST, [entityId]))?.seconds ?? null;
  }

  /** null where the event is not due again, is leased, or its receiver rests. */
  leaseAgain(id: string): Promise<LeasedEvent | null> {
    return this.db.row<LeasedEvent>(LEASE_AGAIN, [id, this.limits.leaseSeconds]);
  }

  /** Seconds until a further attempt may be made; null where none is to be made. */
  async waitFor(id: string): Promise<number | null> {
    return (await this.db.row<{ seconds: number }>(WAIT, [id]))?.seconds ?? null;
  }

  async record({ id, leaseToken }: LeasedEvent, record: AttemptRecord): Promise<Recorded> {
    const { status, attempts, statusCode, error, againInSeconds, attempt } = record;
    const values = [id, leaseToken, status, attempts, statusCode, error, againInSeconds];
    if (!attempt) return (await this.db.execute(RECORD, values)) > 0 ? 'more' : 'lost';
    const { startedAt, durationMs, host, error: kind, excerpt } = attempt;
    const made = [...values, startedAt, durationMs, host, kind, excerpt];
    const written = await this.db.row<{ more: boolean }>(RECORD_ATTEMPT, made);
    if (!written) await this.recordLate(id, [startedAt, durationMs, host, statusCode, kind, excerpt]);
    return written ? (written.more ? 'more' : 'last') : 'lost';
  }

  /** It was made all the same, and whoever looks for it finds it, after those that counted. */
  private recordLate(id: string, attempt: unknown[]): Promise<void> {
    return this.db.inTransaction(async () => {
      await this.db.execute('SELECT FROM events WHERE id = $1 FOR UPDATE', [id]);
      await this.db.execute(RECORD_LATE, [id, ...attempt]);
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

const UNATTEMPTED = `status = 'pending' AND attempts = 0`;
const UNLEASED = '(leased_until IS NULL OR leased_until <= now())';
const TAKEN = `lease_token = gen_random_uuid(), leased_until = now() + $2::float8 * interval '1 second'`;
const LEASED = `events.id, client_id, type, entity_id, sequence, payload::text AS body, attempts, lease_token,
  ${RECEIVER_STATE} AS receiver`;

const LEASE_FIRST = `
  WITH first AS (
    SELECT id AS first_id FROM events WHERE entity_id = $1 AND ${UNATTEMPTED} ORDER BY sequence LIMIT 1 FOR UPDATE
  )
  UPDATE events SET ${TAKEN} FROM first WHERE id = first_id AND ${UNATTEMPTED} AND ${UNLEASED} AND NOT ${RESTING}
  RETURNING ${LEASED}`;

const RENEW = `
  UPDATE events SET leased_until = now() + $3::float8 * interval '1 second' WHERE id = $1 AND lease_token = $2`;

const LEASE_AGAIN = `
  UPDATE events SET ${TAKEN}
  WHERE id = $1 AND status = 'pending' AND attempts > 0 AND next_attempt_at <= now() AND ${UNLEASED}
    AND NOT ${RESTING}
  RETURNING ${LEASED}`;

const GIVE_BACK = 'UPDATE events SET lease_token = NULL, leased_until = NULL WHERE id = $1 AND lease_token = $2';

/** Another one's attempt is over within moments; where it is not, its lease is. */
const WAIT_FIRST = `
  SELECT greatest(1, ${REST_SECONDS}) AS seconds FROM events WHERE entity_id = $1 AND ${UNATTEMPTED} ORDER BY sequence LIMIT 1`;

const WAIT = `
  SELECT greatest(1, ceil(extract(epoch FROM greatest(next_attempt_at, leased_until) - now())), ${REST_SECONDS})::int AS seconds
  FROM events WHERE id = $1 AND status = 'pending' AND attempts > 0`;

const RECORD = `
  UPDATE events SET
    status = $3,
    attempts = $4,
    last_status_code = $5,
    last_error = $6,
    next_attempt_at = now() + $7::float8 * interval '1 second',
    delivered_at = CASE WHEN $3 = 'delivered' THEN now() END,
    lease_token = NULL,
    leased_until = NULL
  WHERE id = $1 AND lease_token = $2`;

/**
 * One statement for both: no attempt without its event, and what goes well costs one round trip. It also tells whether the
 * entity is through. What is added to it meanwhile brings its job along.
 */
const RECORD_ATTEMPT = `
  WITH recorded AS (${RECORD} RETURNING id, entity_id), attempt AS (
    INSERT INTO event_attempts (event_id, number, started_at, duration_ms, host, status_code, error, excerpt)
    SELECT id, coalesce((SELECT max(number) FROM event_attempts WHERE event_id = recorded.id), 0) + 1, $8::timestamptz,
      $9::int, $10, $5, $11, $12
    FROM recorded
  )
  SELECT EXISTS (
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
  WHERE ${UNATTEMPTED} AND ${UNLEASED} AND coalesce(next_attempt_at, created_at) < now() - $1::float8 * interval '1 second'
    AND NOT EXISTS (SELECT FROM jobs WHERE name = 'events.announce' AND jobs.entity_id = events.entity_id)
  LIMIT $2`;

const UNRETRIED = `
  SELECT id, client_id::text AS lane FROM events
  WHERE status = 'pending' AND attempts > 0 AND ${UNLEASED} AND next_attempt_at < now() - $1::float8 * interval '1 second'
    AND NOT EXISTS (SELECT FROM jobs WHERE name = 'event.retry' AND jobs.entity_id = events.id)
  LIMIT $2`;
