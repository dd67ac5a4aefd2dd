/** Puts events back to the start of their way. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { EventType, ListPlace } from '#libs/domain';
import type { EventStatus, StoredEvent } from '../event';
import { CREATED_US, EVENT_COLUMNS } from './event-columns';

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
export class ReplayStore {
  constructor(private readonly db: Db) {}

  /** As if it had never been attempted, and whoever is at it now no longer has a say. */
  startOver(id: string): Promise<StoredEvent | null> {
    return this.db.row<StoredEvent>(`UPDATE events SET ${ANEW} WHERE id = $1 RETURNING ${EVENT_COLUMNS}`, [id]);
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
}

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
  SELECT id, entity_id, ${CREATED_US} FROM changed ORDER BY created_at, id`;
