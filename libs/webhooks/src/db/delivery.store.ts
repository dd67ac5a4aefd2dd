/**
 * Events on their way. Whoever attempts one holds its lease meanwhile; what came of the attempt is written only by the
 * holder. A crash in between leaves the row as it was, and the lease runs out: the attempt is made again.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { EventType } from '#libs/domain';
import { DELIVERY_LIMITS, type DeliveryLimits } from '../delivery';

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
}

export interface AttemptRecord {
  status: 'delivered' | 'pending' | 'failed';
  attempts: number;
  statusCode: number | null;
  error: string | null;
  againInSeconds: number | null;
}

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

  /** The entity's earliest event that was never attempted; null where there is none, or where it is leased already. */
  leaseFirst(entityId: string): Promise<LeasedEvent | null> {
    return this.db.row<LeasedEvent>(LEASE_FIRST, [entityId, this.limits.leaseSeconds]);
  }

  /** Keeps the lease while an attempt goes on. */
  async renew({ id, leaseToken }: LeasedEvent): Promise<void> {
    await this.db.execute(RENEW, [id, leaseToken, this.limits.leaseSeconds]);
  }

  async hasUnattempted(entityId: string): Promise<boolean> {
    return (
      (await this.db.row(`SELECT 1 FROM events WHERE entity_id = $1 AND ${UNATTEMPTED} LIMIT 1`, [entityId])) !== null
    );
  }

  /** null where the event is not due again, or is leased. */
  leaseAgain(id: string): Promise<LeasedEvent | null> {
    return this.db.row<LeasedEvent>(LEASE_AGAIN, [id, this.limits.leaseSeconds]);
  }

  /** Seconds until a further attempt may be made; null where none is to be made. */
  async waitFor(id: string): Promise<number | null> {
    return (await this.db.row<{ seconds: number }>(WAIT, [id]))?.seconds ?? null;
  }

  /** false where the lease is no longer ours: then somebody else's word counts. */
  async record({ id, leaseToken }: LeasedEvent, record: AttemptRecord): Promise<boolean> {
    const { status, attempts, statusCode, error, againInSeconds } = record;
    return (await this.db.execute(RECORD, [id, leaseToken, status, attempts, statusCode, error, againInSeconds])) > 0;
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
const LEASED = `events.id, client_id, type, entity_id, sequence, payload::text AS body, attempts, lease_token`;

const LEASE_FIRST = `
  WITH first AS (
    SELECT id AS first_id FROM events WHERE entity_id = $1 AND ${UNATTEMPTED} ORDER BY sequence LIMIT 1 FOR UPDATE
  )
  UPDATE events SET ${TAKEN} FROM first WHERE id = first_id AND ${UNATTEMPTED} AND ${UNLEASED}
  RETURNING ${LEASED}`;

const RENEW = `
  UPDATE events SET leased_until = now() + $3::float8 * interval '1 second' WHERE id = $1 AND lease_token = $2`;

const LEASE_AGAIN = `
  UPDATE events SET ${TAKEN}
  WHERE id = $1 AND status = 'pending' AND attempts > 0 AND next_attempt_at <= now() AND ${UNLEASED}
  RETURNING ${LEASED}`;

const WAIT = `
  SELECT greatest(1, ceil(extract(epoch FROM greatest(next_attempt_at, leased_until) - now())))::int AS seconds
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
