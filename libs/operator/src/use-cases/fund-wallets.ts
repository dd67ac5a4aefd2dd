/** Money that came in from a prepaid client, and corrections; each entry with its line in the audit log. */
import { Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import { ClientReads } from '#libs/clients';
import { Db } from '#libs/db';
import { type NewEntry, type PostedEntry, WalletBook } from '#libs/wallets';
import { AuditStore } from '../db/audit.store';
import { deedOf, RecordDeeds } from './record-deeds';

@Injectable()
export class FundWallets {
  constructor(
    private readonly db: Db,
    private readonly clients: ClientReads,
    private readonly book: WalletBook,
    private readonly audit: AuditStore,
    private readonly deeds: RecordDeeds,
  ) {}

  post(actor: string, entry: NewEntry): Promise<PostedEntry> {
    const id = newId();
    const post = async (): Promise<PostedEntry> => {
      if (!(await this.clients.find(entry.clientId))) throw new Refusal('client_not_found');
      const posted = await this.book.post(entry, id);
      const { clientId } = entry;
      const action = `wallet.${entry.type}`;
      if (!posted.duplicate)
        await this.audit.add({ actor, action, clientId, target: posted.entry.id, after: posted.entry });
      return posted;
    };
    const { clientId, type } = entry;
    return this.deeds.orRefused(deedOf('wallet', type, type), { actor, clientId }, () =>
      this.db.foundAgain(
        () => this.db.inTransaction(post),
        () => this.book.posted(entry, id),
      ),
    );
  }
}
