/** Money that came in from a prepaid client, and corrections; each entry with its line in the audit log. */
import { Injectable } from '@nestjs/common';
import { Turns } from '#libs/batcher';
import { newId, Refusal } from '#libs/domain';
import { ClientReads } from '#libs/clients';
import { DatabaseTrouble, Db } from '#libs/db';
import { type NewEntry, type PostedEntry, WalletBook } from '#libs/wallets';
import { AuditStore } from '../db/audit.store';
import { deedOf, RecordDeeds } from './record-deeds';

/** As long as PostgreSQL would let it wait for the wallet. */
const PATIENCE = {
  withinMs: 10_000,
  late: () => new DatabaseTrouble('timeout', new Error('somebody holds this wallet for long')),
};

@Injectable()
export class FundWallets {
  /** A statement that is read in is many entries, and a withdrawal may hold the wallet for long: one of them waits for it, and the operator's other work goes on. */
  private readonly turns = new Turns();

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
    const posted = (): Promise<PostedEntry> =>
      this.db.foundAgain(
        () => this.db.inTransaction(post),
        () => this.book.posted(entry, id),
      );
    return this.deeds.orRefused(deedOf('wallet', type, type), { actor, clientId }, () =>
      this.turns.run(clientId, posted, PATIENCE),
    );
  }
}
