/** The log of events and of the attempts to deliver them, for whoever searches it. */
import { Injectable } from '@nestjs/common';
import { EVENT_TYPES, type EventType, type ListPlace } from '#libs/domain';
import { Db, isAfterPlace } from '#libs/db';
import { EVENT_STATUSES, type EventStatus } from '#libs/events';
import type { EventAttempt, StoredEvent } from '../event';
import { CREATED_US, EVENT_COLUMNS } from './event-columns';

export interface EventFilter {
  clientId?: string;
  type?: EventType;
  status?: EventStatus;
  /** The payout or payee it is about. */
  entityId?: string;
  /** From this instant on, up to and without `to`. */
  from?: Date;
  to?: Date;
}

/** Eight come with each replay; older ones are hardly worth a look. */
const MOST_ATTEMPTS = 100;

@Injectable()
export class EventReads {
  constructor(private readonly db: Db) {}

  find(id: string): Promise<StoredEvent | null> {
    return this.db.row<StoredEvent>(`SELECT ${EVENT_COLUMNS} FROM events WHERE id = $1`, [id]);
  }

  findOf(clientId: string, id: string): Promise<StoredEvent | null> {
    return this.db.row<StoredEvent>(`SELECT ${EVENT_COLUMNS} FROM events WHERE id = $1 AND client_id = $2`, [
      id,
      clientId,
    ]);
  }

  /** The newest first. */
  attemptsOf(eventId: string): Promise<EventAttempt[]> {
    return this.db.rows<EventAttempt>(ATTEMPTS, [eventId, MOST_ATTEMPTS]);
  }

  /** One row more than asked for tells that there is a next page. */
  list(filter: EventFilter, after: ListPlace | null, limit: number): Promise<(StoredEvent & ListPlace)[]> {
    const { sql, values } = listQuery(filter, after, limit);
    return this.db.rows<StoredEvent & ListPlace>(sql, values);
  }
}

const ATTEMPTS = `
  SELECT number, started_at, duration_ms, host, status_code, error, excerpt FROM event_attempts
  WHERE event_id = $1 ORDER BY number DESC LIMIT $2`;

/**
 * A page is merged from the pages of each type and status that is asked for: each is read off an index in its order, so
 * a page costs the same whatever is asked for and however rare it is. The events of one entity are few.
 */
function listQuery(filter: EventFilter, after: ListPlace | null, limit: number): { sql: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (item: unknown): string => `$${values.push(item)}`;
  const types = value(filter.type ? [filter.type] : EVENT_TYPES);
  const statuses = value(filter.status ? [filter.status] : EVENT_STATUSES);
  const clientId = filter.clientId && `${value(filter.clientId)}::uuid`;
  const conditions = [
    clientId && `client_id = ${clientId}`,
    filter.entityId && `entity_id = ${value(filter.entityId)}`,
    filter.from && `created_at >= ${value(filter.from)}`,
    filter.to && `created_at < ${value(filter.to)}`,
    after && isAfterPlace({ table: 'events', clientId }, value(after.createdUs), value(after.id)),
  ].filter(Boolean);
  const page = `ORDER BY created_at DESC, id DESC LIMIT ${value(limit + 1)}`;
  // As the two indexes have it: the one of a client, and the one of all.
  const kind = filter.clientId
    ? 'type = wanted_type AND status = wanted_status'
    : `type || '/' || status = wanted_type || '/' || wanted_status`;
  const chosen = filter.entityId
    ? `events WHERE ${['type = ANY($1::text[])', 'status = ANY($2::text[])', ...conditions].join(' AND ')}`
    : `unnest(${types}::text[]) AS wanted_type CROSS JOIN unnest(${statuses}::text[]) AS wanted_status CROSS JOIN LATERAL (
        SELECT * FROM events WHERE ${[kind, ...conditions].join(' AND ')} ${page}
      ) AS events`;
  return { sql: `SELECT ${EVENT_COLUMNS}, ${CREATED_US} FROM ${chosen} ${page}`, values };
}
