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
  /** Rises with each event of the entity. After a restore receivers are told a higher one: see `restores`. */
  sequence: number;
  /** As far as this process knows. If the client is not subscribed to it by what is stored, it is recorded and never delivered. */
  subscribed: boolean;
  payload: Record<string, unknown>;
  /** The payload in the second version's words for statuses, if they differ: used if the client's stored settings ask for that version. */
  inSecondVersion?: Record<string, unknown>;
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
      ...textsOf(events, ids),
    ]);
    const toTell = new Map(
      events.filter(({ subscribed }) => subscribed).map((event) => [event.entityId, event.clientId]),
    );
    await this.jobs.add([...toTell].map(([entityId, lane]) => ({ name: 'events.announce', entityId, lane })));
  }
}

/** In the words of each version of the statuses; null: in the second one they are the same. The `sequence` is added where it is written. */
function textsOf(events: NewEvent[], ids: string[]): [string[], (string | null)[]] {
  const textOf = ({ type }: NewEvent, index: number, payload: NewEvent['payload']): string =>
    JSON.stringify({ type, eventId: ids[index], ...payload });
  return [
    events.map((event, index) => textOf(event, index, event.payload)),
    events.map((event, index) => (event.inSecondVersion ? textOf(event, index, event.inSecondVersion) : null)),
  ];
}

/**
 * Settings that were changed at another process count at once, although its signal may be late: an event is skipped for good, and keeps its
 * words for ever. One that has no job because of that gets one from the net under the jobs (`RecoverDeliveries`).
 * After a restore events are counted from a number that no receiver has heard of: see `restores`.
 */
const APPEND = `
  INSERT INTO events (id, client_id, type, entity_id, sequence, payload, status)
  SELECT new.id, new.client_id, new.type, new.entity_id, told.sequence,
    ('{"sequence":' || told.sequence || ',' || substr(
      CASE WHEN clients.status_version = 2 THEN coalesce(new.second_payload, new.payload) ELSE new.payload END, 2))::json,
    CASE WHEN clients.webhook_url IS NOT NULL AND new.type = ANY(clients.event_types) THEN 'pending' ELSE 'skipped' END
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::int[], $6::text[], $7::text[])
    AS new (id, client_id, type, entity_id, sequence, payload, second_payload)
  CROSS JOIN LATERAL (SELECT new.sequence + (SELECT coalesce(max(sequence_from), 0) FROM restores) AS sequence) AS told
  LEFT JOIN clients ON clients.id = new.client_id`;
