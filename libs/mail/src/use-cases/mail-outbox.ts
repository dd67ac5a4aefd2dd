/** The port of the features: a mail that is part of the transaction it tells about. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { Jobs } from '#libs/jobs';
import { MailStore } from '../db/mail.store';
import type { NewMail } from '../mail';
import { isSendable } from '../message';

@Injectable()
export class MailOutbox {
  constructor(
    private readonly db: Db,
    private readonly store: MailStore,
    private readonly jobs: Jobs,
  ) {}

  /** Joins the transaction of its caller: a mail is never without its job, nor without what it tells about. */
  async queue(mails: NewMail[]): Promise<void> {
    if (mails.length === 0) return;
    // A mistake of the caller, who checks addresses when they are given; the message repeats none of it.
    const unsafe = mails.find(({ to, subject }) => !isSendable(to, subject));
    if (unsafe) throw new Error(`A mail of kind ${unsafe.kind} has no plain address, or no subject of one line.`);
    await this.db.inTransaction(() => this.write(mails));
  }

  private async write(mails: NewMail[]): Promise<void> {
    const queued = await this.store.insert(mails);
    await this.jobs.add(queued.map(({ id, clientId }) => ({ name: 'mail.send', entityId: id, lane: clientId })));
  }
}
