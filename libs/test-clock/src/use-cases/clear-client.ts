/**
 * Makes a test client as new: all that came to be of it goes, at once or not at all, and it keeps its name, its keys and its
 * settings. What is under way for it finds its rows gone and ends.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { ClientRegistry, KeepClients } from '#libs/clients';
import { Db } from '#libs/db';
import { ResetStore } from '../db/reset.store';
import { LongTurns } from './long-turns';

/** How many there were. */
export interface Cleared {
  payees: number;
  payouts: number;
  disbursements: number;
  walletEntries: number;
  events: number;
  mails: number;
}

const IS_LIVE = 'This client is live: what it paid stays on record. Only a client in test mode can be reset.';

@Injectable()
export class ClearClient {
  constructor(
    private readonly turns: LongTurns,
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
    const work = (): Promise<T> => this.db.inBriefTransaction(async () => also(await this.clear(clientId)));
    return this.turns.run(clientId, work);
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
}
