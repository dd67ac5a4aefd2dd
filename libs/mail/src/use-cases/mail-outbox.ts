/** The port of the features: a mail that is part of the transaction it tells about. */
import { Inject, Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { Db } from '#libs/db';
import { Jobs } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { type MailRow, MailStore } from '../db/mail.store';
import { countedWith, lineOf, type MailGroup, type NewMail } from '../mail';
import { MailLinks } from '../mail-links';
import { isSendable } from '../message';

export type Written = Awaited<ReturnType<MailStore['insert']>>;

@Injectable()
export class MailOutbox {
  constructor(
    private readonly db: Db,
    private readonly store: MailStore,
    private readonly jobs: Jobs,
    private readonly links: MailLinks,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mailsPerClient'>,
  ) {}

  /** Joins the transaction of its caller: a mail is never without its job, nor without what it tells about. */
  async queue(mails: NewMail[]): Promise<Written> {
    if (mails.length === 0) return [];
    // A mistake of the caller, who checks addresses when they are given; the message repeats none of it.
    const unsafe = mails.find(({ to, subject }) => !isSendable(to, subject));
    if (unsafe) throw new Error(`A mail of kind ${unsafe.kind} has no plain address, or no subject of one line.`);
    return this.db.inTransaction(() => this.write(mails));
  }

  /** Each client is counted for itself. What is too much is written down and not sent: nobody has to wonder where it went. */
  private async write(mails: NewMail[]): Promise<Written> {
    const clients = [...new Set(mails.map(({ clientId }) => clientId))].sort();
    const written: Written = [];
    for (const clientId of clients) {
      const itsOwn = mails.filter((mail) => mail.clientId === clientId);
      written.push(...(await this.writeCounted(clientId, itsOwn)));
    }
    return written;
  }

  /** Mails that are counted separately have their own room. */
  private async writeCounted(clientId: string, mails: NewMail[]): Promise<Written> {
    const written: Written = [];
    for (const group of new Set(mails.map(countedWith))) {
      const alike = mails.filter((mail) => countedWith(mail) === group);
      written.push(...(await this.writeOf(alike, await this.roomFor(clientId, group))));
    }
    return written;
  }

  private async roomFor(clientId: string, group: MailGroup): Promise<number> {
    if (group.byMailboxAlone) return Number.MAX_SAFE_INTEGER;
    return Math.max(0, this.config.mailsPerClient - (await this.store.countOf(clientId, group)));
  }

  private async writeOf(mails: NewMail[], room: number): Promise<Written> {
    const written = await this.store.insert(mails.map(this.row), room);
    const queued = written.filter(({ status }) => status === 'queued');
    const limited = written.length - queued.length;
    if (limited > 0) {
      const fields = { event: 'mail.limited', limit: 'CLIENT_IN_A_DAY', clientId: mails[0]?.clientId, mails: limited };
      log.warn(fields, 'mails not sent: the client had too many');
    }
    await this.jobs.add(queued.map((mail) => ({ name: 'mail.send', entityId: mail.id, ...lineOf(mail) })));
    return written;
  }

  private readonly row = ({ link, byLink = false, ...mail }: NewMail): MailRow => {
    const id = newId();
    return { ...mail, id, byLink, sealedLink: link === undefined ? null : this.links.seal(link, id) };
  };
}
