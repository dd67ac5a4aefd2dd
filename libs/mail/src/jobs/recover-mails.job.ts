/** A net under the jobs: a mail that waits to be sent and whose job is gone, for whatever reason, gets one again. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { AtStart, Jobs } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { lineOf } from '../mail';
import { MailReads } from '../db/mail.reads';

const PAGE = 5_000;

@Injectable()
export class RecoverMailsJob {
  constructor(
    private readonly reads: MailReads,
    private readonly jobs: Jobs,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(60_000)
  @AtStart()
  async onSchedule(): Promise<void> {
    await this.runner
      .run('recover-mails', (signal) => this.recover(signal))
      .catch(({ message: error }: Error) => log.warn({ event: 'mails.not_recovered', error }, 'tried again soon'));
  }

  /** Returns how many had none. */
  async recover(signal?: AbortSignal): Promise<number> {
    let [count, after]: [number, string | null] = [0, null];
    do {
      const page = await this.reads.queued(after, PAGE);
      const lost = page.filter(({ hasJob }) => !hasJob);
      await this.jobs.add(lost.map((mail) => ({ name: 'mail.send', entityId: mail.id, ...lineOf(mail) })));
      count += lost.length;
      after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
    } while (after !== null && !signal?.aborted);
    if (count > 0) log.warn({ event: 'mails.recovered', count }, 'mails had no job');
    return count;
  }
}
