/** The port of the features: a mail that is part of the transaction it tells about. */
import { Injectable } from '@nestjs/common';
import { Jobs } from '#libs/jobs';
import { MailStore } from '../db/mail.store';
import type { NewMail } from '../mail';

@Injectable()
export class MailOutbox {
  constructor(
    private readonly store: MailStore,
    private readonly jobs: Jobs,
  ) {}

  async queue(mails: NewMail[]): Promise<void> {
    if (mails.length === 0) return;
    const queued = await this.store.insert(mails);
    await this.jobs.add(queued.map(({ id, clientId }) => ({ name: 'mail.send', entityId: id, lane: clientId })));
  }
}
