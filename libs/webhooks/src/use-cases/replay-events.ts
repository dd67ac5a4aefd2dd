/** Sends events once more, under their own ids, so that a receiver that had them already can tell. */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/auth';
import { Db } from '#libs/db';
import { type ListPlace, Refusal } from '#libs/domain';
import { Jobs } from '#libs/jobs';
import { EventReads } from '../db/event.reads';
import { type ReplayChoice, ReplayStore } from '../db/replay.store';
import type { StoredEvent } from '../event';

const PAGE = 500;

@Injectable()
export class ReplayEvents {
  constructor(
    private readonly db: Db,
    private readonly events: EventReads,
    private readonly replays: ReplayStore,
    private readonly jobs: Jobs,
    private readonly clients: ClientRegistry,
  ) {}

  async one(eventId: string): Promise<StoredEvent> {
    const event = await this.events.find(eventId);
    if (!event) throw new Refusal('event_not_found', 'There is no event with this id.');
    if (event.status === 'skipped') await this.refuseUnsubscribed(event);
    return this.db.inTransaction(async () => {
      const replayed = await this.replays.startOver(eventId);
      await this.announce([event.entityId], event.clientId);
      return replayed ?? event;
    });
  }

  /** All of a client's events that have this status and were made in this time; answers how many. */
  async all(choice: ReplayChoice): Promise<number> {
    if (choice.status === 'skipped')
      throw new Refusal('illegal_transition', 'Events the client was not subscribed to are replayed one by one.');
    let replayed = 0;
    let after: ListPlace | null = null;
    do {
      const page: ListPlace[] = await this.page(choice, after);
      replayed += page.length;
      after = page.length === PAGE ? (page[PAGE - 1] ?? null) : null;
    } while (after);
    return replayed;
  }

  /** In pages, so that a long outage does not become one long transaction. */
  private page(choice: ReplayChoice, after: ListPlace | null): Promise<ListPlace[]> {
    return this.db.inTransaction(async () => {
      const page = await this.replays.startOverPage(choice, after, PAGE);
      await this.announce([...new Set(page.map(({ entityId }) => entityId))], choice.clientId);
      return page;
    });
  }

  private async refuseUnsubscribed({ clientId, type }: StoredEvent): Promise<void> {
    const known = await this.clients.byId(clientId);
    if (!known?.client.eventTypes.includes(type))
      throw new Refusal('illegal_transition', `The client is not subscribed to ${type}. Subscribe it first.`);
  }

  private announce(entityIds: string[], lane: string): Promise<void> {
    return this.jobs.add(entityIds.map((entityId) => ({ name: 'events.announce', entityId, lane })));
  }
}
