/**
 * Records what callers are to be told, in the transaction of the change itself: no change without its event, no event
 * without its change. Whoever delivers them reads the rows; nothing is passed in memory.
 */
import { Injectable } from '@nestjs/common';
import { type EventType, newId } from '#libs/domain';
import { Db } from '#libs/db';
import { Jobs } from '#libs/jobs';

export interface NewEvent {
  clientId: string;
  type: EventType;
  /** The payout or payee it is about. */
  entityId: string;
  /** Rises with each event of the entity. */
  sequence: number;
  /** As far as this process knows. If the client is not subscribed to it by what is stored, it is recorded and never delivered. */
  subscribed: boolean;
  payload: Record<string, unknown>;
}

@Injectable()
export class EventOutbox {
  constructor(
    private readonly db: Db,
    private readonly jobs: Jobs,
  ) {}

  async append(events: NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const ids = events.map(() => newId());
    await this.db.write(APPEND, [
      ids,
      events.map(({ clientId }) => clientId),
      events.map(({ type }) => type),
      events.map(({ entityId }) => entityId),
      events.map(({ sequence }) => sequence),
      events.map(({ payload, sequence, type }, index) =>
        JSON.stringify({ type, eventId: ids[index], sequence, ...payload }),
      ),
    ]);
    const toTell = new Map(
      events.filter(({ subscribed }) => subscribed).map((event) => [event.entityId, event.clientId]),
    );
    await this.jobs.add([...toTell].map(([entityId, lane]) => ({ name: 'events.announce', entityId, lane })));
  }
}

/**
 * A subscription that was changed at another process counts at once, although its signal may be late: an event is skipped for good. One
 * that has no job because of that gets one from the net under the jobs (`RecoverDeliveries`).
 */
const APPEND = `
  INSERT INTO events (id, client_id, type, entity_id, sequence, payload, status)
  SELECT new.*, CASE WHEN clients.webhook_url IS NOT NULL AND new.type = ANY(clients.event_types) THEN 'pending' ELSE 'skipped' END
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::int[], $6::json[])
    AS new (id, client_id, type, entity_id, sequence, payload)
  LEFT JOIN clients ON clients.id = new.client_id`;
