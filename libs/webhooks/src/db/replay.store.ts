/** Puts events back to the start of their way. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { ListPlace } from '#libs/domain';
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
  startOverPage(choice: ReplayChoice, after: ListPlace | null, limit: number): Promise<Replayed[]> {
    const { clientId, status, from, to } = choice;
    const place = [after?.createdUs ?? null, after?.id ?? null];
    return this.db.rows<Replayed>(START_OVER_PAGE, [clientId, status, from, to, ...place, limit]);
  }
}

const ANEW = `status = 'pending', attempts = 0, next_attempt_at = now(), last_status_code = NULL, last_error = NULL,
  delivered_at = NULL, lease_token = NULL, leased_until = NULL`;

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
