/** Whether one more mail may go to its address. Decided once, in the row that is then counted, so all processes agree. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { Db } from '#libs/db';
import { type Allowed, MailStore } from '../db/mail.store';
import { countedWith, type Mail, mailboxOf, type MailLimit } from '../mail';

type AddressLimit = Exclude<MailLimit, 'CLIENT_IN_A_DAY'>;
type Counted = Pick<Mail, 'id' | 'clientId' | 'kind' | 'byLink' | 'toAddress' | 'allowedAt'>;

@Injectable()
export class AllowMail {
  constructor(
    private readonly db: Db,
    private readonly store: MailStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mailsPerAddress'>,
  ) {}

  /** null: it may go. */
  async run({ id, clientId, kind, byLink, toAddress, allowedAt }: Counted): Promise<AddressLimit | null> {
    if (allowedAt !== null) return null;
    const mailbox = mailboxOf(toAddress);
    return this.db.inTransaction(async () => {
      const limit = this.metBy(await this.store.allowedTo(mailbox, clientId, countedWith({ kind, byLink })));
      if (limit) await this.store.end(id, 'limited', limit);
      else await this.store.allow(id, mailbox);
      return limit;
    });
  }

  /** A quarter of what a day has fits into an hour, and half of it is one client's. */
  mostFor(limit: AddressLimit): number {
    const { mailsPerAddress: most } = this.config;
    return Math.ceil(most / { ADDRESS_IN_A_DAY: 1, ADDRESS_OF_ONE_CLIENT: 2, ADDRESS_IN_AN_HOUR: 4 }[limit]);
  }

  private metBy({ inADay, inAnHour, ofTheClient }: Allowed): AddressLimit | null {
    const counts: [AddressLimit, number][] = [
      ['ADDRESS_IN_A_DAY', inADay],
      ['ADDRESS_OF_ONE_CLIENT', ofTheClient],
      ['ADDRESS_IN_AN_HOUR', inAnHour],
    ];
    return counts.find(([limit, count]) => count >= this.mostFor(limit))?.[0] ?? null;
  }
}
