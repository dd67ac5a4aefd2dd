/** Mails that are old enough are of no more use. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { log } from '#libs/telemetry';
import { ForgetMails } from '../use-cases/forget-mails';

@Injectable()
export class ForgetMailsJob {
  constructor(
    private readonly mails: ForgetMails,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(3_600_000)
  async onSchedule(): Promise<void> {
    await this.runner
      .run('forget-mails', (signal) => this.mails.run(signal))
      .catch(({ message: error }: Error) => log.warn({ event: 'mails.not_tidied', error }, 'tried again in an hour'));
  }
}
