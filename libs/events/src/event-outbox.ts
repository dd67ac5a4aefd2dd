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
  /** false: recorded and never delivered. */
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
      events.map(({ subscribed }) => (subscribed ? 'pending' : 'skipped')),
    ]);
    const toTell = new Map(
      events.filter(({ subscribed }) => subscribed).map((event) => [event.entityId, event.clientId]),
    );
    await this.jobs.add([...toTell].map(([entityId, lane]) => ({ name: 'events.announce', entityId, lane })));
  }
}

const APPEND = `
  INSERT INTO events (id, client_id, type, entity_id, sequence, payload, status)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::int[], $6::json[], $7::text[])`;
