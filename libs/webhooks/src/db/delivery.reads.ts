/** Events that are due, read by whoever holds the lease of their job, and those that nobody is going to attempt. */
import { Injectable } from '@nestjs/common';
import { EVENT_TYPES, type EventType } from '#libs/domain';
import { Db } from '#libs/db';
import type { HeldJob } from '#libs/jobs';
import { RECEIVER_STATE, REST_SECONDS, RESTING } from './receiver.store';

export interface DueEvent {
  id: string;
  clientId: string;
  type: EventType;
  entityId: string;
  sequence: number;
  /** The client's stored webhook URL. */
  webhookUrl: string | null;
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

export interface Forgotten {
  id: string;
  lane: string;
}

@Injectable()
export class DeliveryReads {
  constructor(private readonly db: Db) {}

  /** Of each entity the earliest events that were never attempted, in order; none if all were, or their receiver rests. */
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

  /** A client's oldest outstanding attempts: entities whose first attempts wait, and single events. */
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
const DUE = `events.id, client_id, type, entity_id, sequence, payload::text AS body, attempts, next_attempt_at::text AS due_at,
  (SELECT webhook_url FROM clients WHERE clients.id = events.client_id), ${RECEIVER_STATE} AS receiver`;

/** A payout that settles at once has three or four. */
const MOST_OF_ONE = 4;

const FIRST_OF = `
  SELECT ${DUE} FROM (SELECT DISTINCT unnest($1::uuid[])) AS wanted (wanted_id) CROSS JOIN LATERAL (
    SELECT * FROM events WHERE entity_id = wanted_id AND ${UNATTEMPTED} ORDER BY sequence LIMIT ${MOST_OF_ONE}
  ) AS events
  WHERE NOT ${RESTING} ORDER BY entity_id, sequence`;

/** By its id first: a plan from when nothing waited would go through all events that do, of all clients. */
const THIS_ONE = `(SELECT * FROM events WHERE id = $1 OFFSET 0) AS events`;

const AGAIN = `
  SELECT ${DUE} FROM ${THIS_ONE}
  WHERE status = 'pending' AND attempts > 0 AND next_attempt_at <= now() AND NOT ${RESTING}`;

const WAIT_FIRST = `
  SELECT greatest(1, ${REST_SECONDS}) AS seconds FROM events WHERE entity_id = $1 AND ${UNATTEMPTED} ORDER BY sequence LIMIT 1`;

const WAIT = `
  SELECT greatest(1, ceil(extract(epoch FROM next_attempt_at - now())), ${REST_SECONDS})::int AS seconds
  FROM ${THIS_ONE} WHERE status = 'pending' AND attempts > 0`;

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
