/** Events that are old enough are of no more use. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { log } from '#libs/telemetry';
import { ForgetEvents } from '../use-cases/forget-events';

@Injectable()
export class ForgetEventsJob {
  constructor(
    private readonly events: ForgetEvents,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(3_600_000)
  async onSchedule(): Promise<void> {
    await this.runner
      .run('forget-events', (signal) => this.events.run(signal))
      .catch(({ message: error }: Error) => log.warn({ event: 'events.not_tidied', error }, 'tried again in an hour'));
  }
}
