/** Sends a mail that was kept, given up or one too many: an operator asked for it. Part of the transaction that says who. */
import { Injectable } from '@nestjs/common';
import { type Clock, Refusal } from '#libs/domain';
import { InjectClock } from '#libs/clock';
import { Jobs } from '#libs/jobs';
import { MailStore } from '../db/mail.store';
import { lineOf, LINK_PLACE, type Mail, mailboxOf } from '../mail';

/** For so long its link lets somebody in. */
const PORTAL_LINK_MS = 15 * 60_000;

@Injectable()
export class ResendMail {
  constructor(
    private readonly store: MailStore,
    private readonly jobs: Jobs,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async run(id: string): Promise<Mail> {
    const mail = await this.store.lock(id);
    if (!mail) throw new Refusal('mail_not_found');
    this.refuseUnlessOfUse(mail);
    await this.store.requeue(id, mailboxOf(mail.toAddress));
    await this.jobs.add([{ name: 'mail.send', entityId: id, ...lineOf(mail) }]);
    return { ...mail, status: 'queued', lastError: null, endedAt: null };
  }

  private refuseUnlessOfUse({ status, kind, bodyText, sealedLink, createdAt }: Mail): void {
    if (status === 'sent' || status === 'queued') throw notSendable(`It is ${status} already.`);
    const isOver = kind === 'portal_link' && this.clock.now().getTime() - createdAt.getTime() > PORTAL_LINK_MS;
    if (isOver) throw notSendable('The link in it is over. Have a new one sent to the payee.');
    if (bodyText.includes(LINK_PLACE) && sealedLink === null)
      throw notSendable('The link in it was not kept. Have a new one sent to the payee.');
  }
}

const notSendable = (message: string): Refusal => new Refusal('mail_not_sendable', message);
