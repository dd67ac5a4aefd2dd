/** Routing changed: whom it concerns is resolved again, so that lists and events say what payouts will meet. */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/clients';
import { Db } from '#libs/db';
import { PayeeReads } from '../db/payee.reads';
import { PayeeRouting } from '../payee-routing';
import { ChangePayee } from './change-payee';

const PAGE = 500;

@Injectable()
export class ResolvePayees {
  constructor(
    private readonly reads: PayeeReads,
    private readonly clients: ClientRegistry,
    private readonly routing: PayeeRouting,
    private readonly change: ChangePayee,
    private readonly db: Db,
  ) {}

  /** Returns once it is through those that were there when it began, or told to end: whoever is made meanwhile is resolved then. */
  async ofClient(clientId: string, signal: AbortSignal): Promise<void> {
    const client = await this.clients.stored(clientId);
    if (!client) return;
    const begun = await this.db.moment();
    for (let after: string | null = null; ;) {
      const payees = await this.reads.page(clientId, begun, after, PAGE);
      const last = payees[payees.length - 1];
      if (!last) return;
      const { table, methods } = await this.routing.view(payees.map(({ id }) => id));
      for (const payee of payees) {
        const method = methods.get(payee.id) ?? null;
        const { provider, payable } = this.routing.resolved({ client, payee, method, table });
        if (provider === payee.provider && payable === payee.payable) continue;
        if (signal.aborted) return;
        await this.change.locked(client, payee.id, (before) => before);
      }
      if (signal.aborted) return;
      after = last.id;
    }
  }
}
