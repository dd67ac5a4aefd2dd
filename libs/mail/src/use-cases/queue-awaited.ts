/**
 * A mail that somebody waits for: whether it may go to its address is decided at once, and said. A caller who says so takes back the
 * transaction with all that was made for it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { Db } from '#libs/db';
import { log } from '#libs/telemetry';
import { countsForSeconds, type MailLimit, type NewMail } from '../mail';
import { AllowMail } from './allow-mail';
import { MailOutbox } from './mail-outbox';

/** The limit that is reached: of what, how many, and when there is room again, at the latest. */
export interface MailsSent {
  why: MailLimit;
  limit: number;
  resetSeconds: number;
}

@Injectable()
export class QueueAwaited {
  constructor(
    private readonly db: Db,
    private readonly outbox: MailOutbox,
    private readonly allowance: AllowMail,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mailsPerClient'>,
  ) {}

  /** null: it goes. */
  async run(mail: NewMail): Promise<MailsSent | null> {
    return this.db.inTransaction(async () => {
      const [written] = await this.outbox.queue([mail]);
      if (written?.status !== 'queued') return sent('CLIENT_IN_A_DAY', this.config.mailsPerClient);
      const { clientId, kind, byLink = false, to: toAddress } = mail;
      const limit = await this.allowance.run({ id: written.id, clientId, kind, byLink, toAddress, allowedAt: null });
      if (limit) log.warn({ event: 'mail.limited', kind, clientId, limit }, 'mail not sent: its address had too many');
      return limit && sent(limit, this.allowance.mostFor(limit));
    });
  }
}

const sent = (why: MailLimit, limit: number): MailsSent => ({ why, limit, resetSeconds: countsForSeconds(why) });
