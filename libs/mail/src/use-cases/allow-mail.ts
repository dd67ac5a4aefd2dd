/** Whether one more mail may go to its address. Decided once, in the row that is then counted, so all processes agree. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { Db } from '#libs/db';
import { type Allowed, MailStore } from '../db/mail.store';
import { countedWith, type Mail, mailboxOf, type MailLimit } from '../mail';

type Counted = Pick<Mail, 'id' | 'clientId' | 'kind' | 'toAddress' | 'allowedAt'>;

@Injectable()
export class AllowMail {
  constructor(
    private readonly db: Db,
    private readonly store: MailStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mailsPerAddress'>,
  ) {}

  /** null: it may go. */
  async run({ id, clientId, kind, toAddress, allowedAt }: Counted): Promise<MailLimit | null> {
    if (allowedAt !== null) return null;
    const mailbox = mailboxOf(toAddress);
    return this.db.inTransaction(async () => {
      const limit = this.metBy(await this.store.allowedTo(mailbox, clientId, countedWith(kind)));
      if (limit) await this.store.end(id, 'limited', limit);
      else await this.store.allow(id, mailbox);
      return limit;
    });
  }

  /** A quarter of what a day has fits into an hour, and half of it is one client's. */
  private metBy({ inADay, inAnHour, ofTheClient }: Allowed): MailLimit | null {
    const { mailsPerAddress: most } = this.config;
    if (inADay >= most) return 'ADDRESS_IN_A_DAY';
    if (ofTheClient >= Math.ceil(most / 2)) return 'ADDRESS_OF_ONE_CLIENT';
    return inAnHour >= Math.ceil(most / 4) ? 'ADDRESS_IN_AN_HOUR' : null;
  }
}
