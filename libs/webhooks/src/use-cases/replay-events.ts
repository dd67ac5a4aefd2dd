/** Sends events once more, under their own ids, so that a receiver that had them already can tell. */
import { Injectable } from '@nestjs/common';
import { type EventType, type ListPlace, Refusal } from '#libs/domain';
import { type Client, ClientRegistry } from '#libs/clients';
import { Db } from '#libs/db';
import { EventBook, type ReplayChoice, type Replayed } from '#libs/events';
import { EventReads } from '../db/event.reads';
import type { StoredEvent } from '../event';
import { WakeReceiver } from './wake-receiver';

const PAGE = 500;
/** In one call, which somebody waits for. */
const MOST = 20_000;

export interface ReplaySummary {
  replayed: number;
  /** The time to go on from, as `from`, if there were more than one call replays; null when all are done. */
  nextFrom: Date | null;
}

@Injectable()
export class ReplayEvents {
  constructor(
    private readonly db: Db,
    private readonly events: EventReads,
    private readonly book: EventBook,
    private readonly clients: ClientRegistry,
    private readonly receiver: WakeReceiver,
  ) {}

  async one(eventId: string): Promise<StoredEvent> {
    return this.startOver(await this.events.find(eventId));
  }

  /** The same, of this client's own events. */
  async oneOf(clientId: string, eventId: string): Promise<StoredEvent> {
    return this.startOver(await this.events.findOf(clientId, eventId));
  }

  /** All of a client's events that have this status and were made in this time, oldest first, up to `most`. */
  async all(choice: ReplayChoice, most = MOST): Promise<ReplaySummary> {
    if (choice.status === 'skipped')
      throw new Refusal('event_not_replayable', 'What was skipped is replayed one by one.');
    const { eventTypes } = await this.receivingClient(choice.clientId);
    let replayed = 0;
    let after: ListPlace | null = null;
    while (replayed < most) {
      const limit = Math.min(PAGE, most - replayed);
      const page: Replayed[] = await this.page({ ...choice, types: eventTypes }, after, limit);
      after = page[page.length - 1] ?? null;
      if (!after) return { replayed, nextFrom: null };
      replayed += page.length;
    }
    return { replayed, nextFrom: after && new Date(Math.floor(Number(after.createdUs) / 1_000)) };
  }

  private async startOver(event: StoredEvent | null): Promise<StoredEvent> {
    if (!event) throw new Refusal('event_not_found');
    const client = await this.receivingClient(event.clientId);
    if (!client.eventTypes.includes(event.type))
      throw new Refusal('event_not_replayable', `The client is not subscribed to ${event.type}.`);
    return this.db.inTransaction(async () => {
      await this.book.startOver(event.id);
      await this.receiver.announce([event.entityId], event.clientId);
      return (await this.events.find(event.id)) ?? event;
    });
  }

  /** In pages, so that a long outage does not become one long transaction. */
  private page(
    choice: ReplayChoice & { types: EventType[] },
    after: ListPlace | null,
    limit: number,
  ): Promise<Replayed[]> {
    return this.db.inTransaction(async () => {
      const page = await this.book.startOverPage(choice, after, limit);
      await this.receiver.announce([...new Set(page.map(({ entityId }) => entityId))], choice.clientId);
      return page;
    });
  }

  /** Without a URL, and for a closed client, the events would only fail once more. */
  private async receivingClient(clientId: string): Promise<Client> {
    const known = await this.clients.byId(clientId);
    if (!known) throw new Refusal('client_not_found');
    if (known.client.status === 'closed') throw new Refusal('event_not_replayable', 'The client is closed.');
    if (!known.client.webhookUrl)
      throw new Refusal('webhook_url_missing', 'The client has no webhook URL: set it first.');
    return known.client;
  }
}
