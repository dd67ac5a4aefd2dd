/** Money that came in from a prepaid client, and corrections; each entry with its line in the audit log. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { ClientStore } from '#libs/auth';
import { Db } from '#libs/db';
import { NOT_THERE } from '#libs/http-kit';
import { type NewEntry, WalletBook, type WalletEntry } from '#libs/wallets';
import { AuditStore } from '../db/audit.store';

@Injectable()
export class FundWallets {
  constructor(
    private readonly db: Db,
    private readonly clients: ClientStore,
    private readonly book: WalletBook,
    private readonly audit: AuditStore,
  ) {}

  post(actor: string, entry: NewEntry): Promise<{ entry: WalletEntry; duplicate: boolean }> {
    return this.db.inTransaction(async () => {
      if (!(await this.clients.find(entry.clientId))) throw new Refusal('client_not_found', NOT_THERE);
      const posted = await this.book.post(entry);
      const { clientId } = entry;
      const action = `wallet.${entry.type}`;
      if (!posted.duplicate)
        await this.audit.add({ actor, action, clientId, target: posted.entry.id, after: posted.entry });
      return posted;
    });
  }
}
