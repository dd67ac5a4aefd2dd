/** Sends one mail, or says when to try again. What the server took once more after a crash has the same Message-ID. */
import { Injectable } from '@nestjs/common';
import { backoffSeconds } from '#libs/domain';
import type { JobOutcome } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { MailReads } from '../db/mail.reads';
import { MailStore } from '../db/mail.store';
import type { Mail } from '../mail';
import { MailLinks } from '../mail-links';
import { Smtp, type SmtpOutcome } from '../smtp';
import { AllowMail } from './allow-mail';

const AGAIN = { firstSeconds: 10, capSeconds: 3_600 };
/** Whoever sent it by hand reads here why it was not sent. */
const NO_SERVER = 'there is no mail server: set SMTP_URL';
/** The last try is about eight hours after the first. */
const MOST_TRIES = 16;

@Injectable()
export class SendMail {
  constructor(
    private readonly reads: MailReads,
    private readonly store: MailStore,
    private readonly smtp: Smtp,
    private readonly allowance: AllowMail,
    private readonly links: MailLinks,
  ) {}

  async run(mailId: string, tries: number): Promise<JobOutcome> {
    const mail = await this.reads.find(mailId);
    if (mail?.status !== 'queued') return;
    const limit = await this.allowance.run(mail);
    if (limit) {
      const fields = { event: 'mail.limited', mailId: mail.id, kind: mail.kind, clientId: mail.clientId, limit };
      log.warn(fields, 'mail not sent: its address had too many');
      return;
    }
    if (!this.smtp.isThere) return this.store.end(mail.id, 'kept', NO_SERVER);
    return this.settle(mail, await this.smtp.send(this.links.filledIn(mail)), tries);
  }

  private async settle(mail: Mail, outcome: SmtpOutcome, tries: number): Promise<JobOutcome> {
    const fields = { mailId: mail.id, kind: mail.kind, tries };
    if (outcome.kind === 'sent') {
      await this.store.end(mail.id, 'sent');
      log.info({ event: 'mail.sent', ...fields }, 'mail sent');
      return;
    }
    if (outcome.kind === 'refused' || tries >= MOST_TRIES) {
      await this.store.end(mail.id, 'failed', outcome.error);
      log.error({ event: 'mail.failed', ...fields, error: outcome.error }, 'mail not sent: it was given up');
      return;
    }
    await this.store.note(mail.id, outcome.error);
    log.warn({ event: 'mail.postponed', ...fields, error: outcome.error }, 'mail not sent: tried again later');
    return { againInSeconds: backoffSeconds(AGAIN, tries) };
  }
}
