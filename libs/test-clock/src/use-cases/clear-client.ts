/**
 * Makes a test client as new: all that came to be of it goes, at once or not at all, and it keeps its name, its keys and its
 * settings. What is under way for it finds its rows gone and ends.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { FairSlots } from '#libs/batcher';
import { ClientRegistry, KeepClients } from '#libs/clients';
import { Db, DatabaseTrouble } from '#libs/db';
import { ResetStore } from '../db/reset.store';

/** How many there were. */
export interface Cleared {
  payees: number;
  payouts: number;
  disbursements: number;
  walletEntries: number;
  events: number;
  mails: number;
}

/** One has its connection for long. */
const AT_ONCE = { atOnce: 1, perLane: 1 };
const IS_LIVE = 'This client is live: what it paid stays on record. Only a client in test mode can be reset.';
/** After this many tries nobody holds a row of the client any more. */
const MOST_TRIES = 40;
const AGAIN_AFTER_MS = 150;

@Injectable()
export class ClearClient {
  private readonly slots = new FairSlots(AT_ONCE);

  constructor(
    private readonly db: Db,
    private readonly clients: KeepClients,
    private readonly store: ResetStore,
    private readonly registry: ClientRegistry,
  ) {}

  /**
   * One transaction of `also` and this. It waits a moment for each row that somebody holds, then gives way and starts over: nobody
   * has to give way to it.
   */
  run<T>(clientId: string, also: (cleared: Cleared) => Promise<T>): Promise<T> {
    return this.slots.run(clientId, () =>
      this.whenFree(() => this.db.inBriefTransaction(async () => also(await this.clear(clientId)))),
    );
  }

  private async clear(clientId: string): Promise<Cleared> {
    const { testMode } = await this.clients.hold(clientId);
    if (!testMode) throw new Refusal('client_is_live', IS_LIVE);
    await this.store.hold(clientId);
    const gone = await this.store.clear(clientId);
    this.registry.changed(clientId);
    const of = (table: string): number => gone.get(table) ?? 0;
    return {
      payees: of('payees'),
      payouts: of('payouts'),
      disbursements: of('disbursements'),
      walletEntries: of('wallet_entries'),
      events: of('events'),
      mails: of('mails'),
    };
  }

  private async whenFree<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseTrouble) || !error.isHeld || tries === MOST_TRIES) throw error;
        await pause(AGAIN_AFTER_MS * (0.5 + Math.random()));
      }
    }
  }
}
