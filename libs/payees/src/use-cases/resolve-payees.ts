/** Routing changed: whom it concerns is resolved again, so that lists and events say what payouts will meet. */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/clients';
import { Db } from '#libs/db';
import type { PassPlace } from '#libs/jobs';
import { PayeeReads } from '../db/payee.reads';
import { PayeeRouting } from '../payee-routing';
import { ChangePayee } from './change-payee';

const PAGE = 500;
/** Until others have their turn: as many looks, or changes, each of which is a transaction. */
const MOST_PAGES = 20;
const MOST_CHANGED = 500;

@Injectable()
export class ResolvePayees {
  constructor(
    private readonly reads: PayeeReads,
    private readonly clients: ClientRegistry,
    private readonly routing: PayeeRouting,
    private readonly change: ChangePayee,
    private readonly db: Db,
  ) {}

  /** Those that were there when it began: whoever is made meanwhile is resolved then. */
  async begin(): Promise<PassPlace> {
    return { begun: await this.db.moment(), after: null };
  }

  /** From there on, so many that others have their turn soon. Returns where it left off, also if it was told to end; null once it is through. */
  async portion(clientId: string, from: PassPlace, signal: AbortSignal): Promise<PassPlace | null> {
    const client = await this.clients.stored(clientId);
    if (!client) return null;
    let [place, changed] = [from, 0];
    for (let pages = 0; pages < MOST_PAGES && changed < MOST_CHANGED && !signal.aborted; pages += 1) {
      const payees = await this.reads.page(clientId, place.begun, place.after, PAGE);
      const last = payees[payees.length - 1];
      if (!last) return null;
      const { table, methods } = await this.routing.view(payees.map(({ id }) => id));
      for (const payee of payees) {
        const method = methods.get(payee.id) ?? null;
        const { provider, payable } = this.routing.resolved({ client, payee, method, table });
        if (provider === payee.provider && payable === payee.payable) continue;
        if (signal.aborted) return place;
        await this.change.locked(client, payee.id, (before) => before);
        changed += 1;
      }
      place = { ...place, after: last.id };
    }
    return place;
  }
}
