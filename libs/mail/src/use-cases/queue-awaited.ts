/**
 * A mail that somebody waits for: whether it may go to its address is decided at once, and said. A caller who says so takes back the
 * transaction with all that was made for it.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { log } from '#libs/telemetry';
import type { MailLimit, NewMail } from '../mail';
import { AllowMail } from './allow-mail';
import { MailOutbox } from './mail-outbox';

@Injectable()
export class QueueAwaited {
  constructor(
    private readonly db: Db,
    private readonly outbox: MailOutbox,
    private readonly allowance: AllowMail,
  ) {}

  /** null: it goes. */
  async run(mail: NewMail): Promise<MailLimit | null> {
    return this.db.inTransaction(async () => {
      const [written] = await this.outbox.queue([mail]);
      if (written?.status !== 'queued') return 'CLIENT_IN_A_DAY';
      const { clientId, kind, to: toAddress } = mail;
      const limit = await this.allowance.run({ id: written.id, clientId, kind, toAddress, allowedAt: null });
      if (limit) log.warn({ event: 'mail.limited', kind, clientId, limit }, 'mail not sent: its address had too many');
      return limit;
    });
  }
}
