/** Lets what waits for a receiver go on at once: it acknowledged something, the client was given another URL, or somebody says so. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { ClientRegistry } from '#libs/clients';
import { apart, Db } from '#libs/db';
import { Jobs } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { DeliveryReads } from '../db/delivery.reads';
import { ReceiverStore } from '../db/receiver.store';

/** Of each type, the oldest; what is beyond them comes at the end of the rest it was put off to. */
const MOST = 1_000;

@Injectable()
export class WakeReceiver {
  constructor(
    private readonly db: Db,
    private readonly receivers: ReceiverStore,
    private readonly deliveries: DeliveryReads,
    private readonly jobs: Jobs,
    private readonly clients: ClientRegistry,
  ) {}

  /** Returns whether it was known to fail. */
  acknowledged(clientId: string): Promise<boolean> {
    return this.db.inTransaction(async () => {
      if (!(await this.receivers.recovered(clientId))) return false;
      await this.wake(clientId);
      log.info({ event: 'receiver.recovered', clientId }, 'a receiver that failed acknowledged again');
      return true;
    });
  }

  /** Returns of how many clients the URL was changed. Each by itself: whoever waits for what somebody holds of one holds another's jobs else. */
  async moved(): Promise<number> {
    let count = 0;
    for (const clientId of await this.receivers.moved())
      if (await apart({ event: 'receiver.not_woken', clientId }, () => this.wakeMoved(clientId))) count += 1;
    return count;
  }

  /** Whether it rested. One attempt shows how it is; the others wait for that. */
  async byHand(clientId: string): Promise<boolean> {
    if (!(await this.clients.byId(clientId))) throw new Refusal('client_not_found');
    return this.db.inTransaction(async () => {
      if (!(await this.receivers.endRest(clientId))) return false;
      await this.wake(clientId);
      return true;
    });
  }

  /** For what is told again: whoever asked for it wants to know now. */
  async announce(entityIds: string[], clientId: string): Promise<void> {
    await this.receivers.endRest(clientId);
    await this.jobs.add(entityIds.map((entityId) => ({ name: 'events.announce', entityId, lane: clientId })));
  }

  private wakeMoved(clientId: string): Promise<boolean> {
    return this.db.inTransaction(async () => {
      if (!(await this.receivers.forgetMoved(clientId))) return false;
      await this.wake(clientId);
      return true;
    });
  }

  private async wake(clientId: string): Promise<void> {
    const waiting = await this.deliveries.waiting(clientId, MOST);
    await this.jobs.add(
      waiting.map(({ id, first }) => ({
        name: first ? 'events.announce' : 'event.retry',
        entityId: id,
        lane: clientId,
      })),
    );
  }
}
