/** Events as the operator sees them: a log to search, and what of it is to be sent once more. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { EventType, ListPlace } from '#libs/domain';

export const EVENT_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export interface StoredEvent {
  id: string;
  clientId: string;
  type: EventType;
  entityId: string;
  sequence: number;
  payload: Record<string, unknown>;
  status: EventStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  deliveredAt: Date | null;
  createdAt: Date;
}

export interface EventFilter {
  clientId?: string;
  type?: EventType;
  status?: EventStatus;
  /** From this instant on, up to and without `to`. */
  from?: Date;
  to?: Date;
}

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
export class EventStore {
  constructor(private readonly db: Db) {}

  find(id: string): Promise<StoredEvent | null> {
    return this.db.row<StoredEvent>(`SELECT ${COLUMNS} FROM events WHERE id = $1`, [id]);
  }

  /** One row more than asked for tells that there is a next page. */
  list(filter: EventFilter, after: ListPlace | null, limit: number): Promise<(StoredEvent & ListPlace)[]> {
    return this.db.rows<StoredEvent & ListPlace>(LIST, [
      filter.clientId ?? null,
      filter.type ?? null,
      filter.status ?? null,
      filter.from ?? null,
      filter.to ?? null,
      after?.createdUs ?? null,
      after?.id ?? null,
      limit,
    ]);
  }

  /** As if it had never been attempted, and whoever is at it now no longer has a say. */
  startOver(id: string): Promise<StoredEvent | null> {
    return this.db.row<StoredEvent>(`UPDATE events SET ${ANEW} WHERE id = $1 RETURNING ${COLUMNS}`, [id]);
  }

  /** The same for a page of a client's events, oldest first. */
  startOverPage(choice: ReplayChoice, after: ListPlace | null, limit: number): Promise<Replayed[]> {
    const { clientId, status, from, to } = choice;
    const place = [after?.createdUs ?? null, after?.id ?? null];
    return this.db.rows<Replayed>(START_OVER_PAGE, [clientId, status, from, to, ...place, limit]);
  }
}

const COLUMNS = `id, client_id, type, entity_id, sequence, payload, status, attempts, next_attempt_at, last_status_code,
  last_error, delivered_at, created_at`;
const CREATED_US = '(extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us';
const ANEW = `status = 'pending', attempts = 0, next_attempt_at = now(), last_status_code = NULL, last_error = NULL,
  delivered_at = NULL, lease_token = NULL, leased_until = NULL`;

const LIST = `
  SELECT ${COLUMNS}, ${CREATED_US} FROM events
  WHERE ($1::uuid IS NULL OR client_id = $1) AND ($2::text IS NULL OR type = $2) AND ($3::text IS NULL OR status = $3)
    AND ($4::timestamptz IS NULL OR created_at >= $4) AND ($5::timestamptz IS NULL OR created_at < $5)
    AND ($6::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $6::bigint * interval '1 microsecond', $7::uuid))
  ORDER BY created_at DESC, id DESC LIMIT $8 + 1`;

const START_OVER_PAGE = `
  WITH chosen AS (
    SELECT id AS chosen_id FROM events
    WHERE client_id = $1 AND status = $2 AND created_at >= $3 AND created_at < $4
      AND ($5::bigint IS NULL OR (created_at, id) > (to_timestamp(0) + $5::bigint * interval '1 microsecond', $6::uuid))
    ORDER BY created_at, id LIMIT $7 FOR UPDATE
  ), changed AS (
    UPDATE events SET ${ANEW} FROM chosen WHERE id = chosen_id RETURNING id, entity_id, created_at
  )
  SELECT id, entity_id, ${CREATED_US} FROM changed ORDER BY created_at, id`;
