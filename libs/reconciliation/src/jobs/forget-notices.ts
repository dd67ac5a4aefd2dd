/** Notices that no provider repeats any more are of no more use. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { log } from '#libs/telemetry';
import { ForgetOldNotices } from '../use-cases/forget-old-notices';

@Injectable()
export class ForgetNotices {
  constructor(
    private readonly notices: ForgetOldNotices,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(3_600_000)
  async onSchedule(): Promise<void> {
    await this.runner
      .run('forget-notices', (signal) => this.notices.run(signal))
      .catch(({ message: error }: Error) => log.warn({ event: 'notices.not_tidied', error }, 'tried again in an hour'));
  }
}
