/** A net under the jobs: owed money that should have left by itself, and that nobody is going to release, gets a job again. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { AtStart } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { WakeWaiting } from '../use-cases/wake-waiting';

@Injectable()
export class RecoverOwed {
  constructor(
    private readonly waiting: WakeWaiting,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(60_000)
  @AtStart()
  async run(): Promise<void> {
    await this.runner
      .run('recover-owed', (signal) => this.recover(signal))
      .catch((error: Error) => log.warn({ event: 'owed.not_recovered', error: error.message }, 'tried again soon'));
  }

  async recover(signal?: AbortSignal): Promise<number> {
    const count = await this.waiting.forgotten(signal);
    if (count > 0) log.info({ event: 'owed.recovered', count }, 'payees are owed what should have left by itself');
    return count;
  }
}
