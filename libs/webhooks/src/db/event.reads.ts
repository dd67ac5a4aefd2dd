/** The log of events, for whoever searches it. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { EventType, ListPlace } from '#libs/domain';
import type { EventStatus, StoredEvent } from '../event';
import { CREATED_US, EVENT_COLUMNS } from './event-columns';

export interface EventFilter {
  clientId?: string;
  type?: EventType;
  status?: EventStatus;
  /** From this instant on, up to and without `to`. */
  from?: Date;
  to?: Date;
}

@Injectable()
export class EventReads {
  constructor(private readonly db: Db) {}

  find(id: string): Promise<StoredEvent | null> {
    return this.db.row<StoredEvent>(`SELECT ${EVENT_COLUMNS} FROM events WHERE id = $1`, [id]);
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
}

const LIST = `
  SELECT ${EVENT_COLUMNS}, ${CREATED_US} FROM events
  WHERE ($1::uuid IS NULL OR client_id = $1) AND ($2::text IS NULL OR type = $2) AND ($3::text IS NULL OR status = $3)
    AND ($4::timestamptz IS NULL OR created_at >= $4) AND ($5::timestamptz IS NULL OR created_at < $5)
    AND ($6::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $6::bigint * interval '1 microsecond', $7::uuid))
  ORDER BY created_at DESC, id DESC LIMIT $8 + 1`;
