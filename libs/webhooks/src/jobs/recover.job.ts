import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { AtStart } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { RecoverDeliveries } from '../use-cases/recover-deliveries';

@Injectable()
export class RecoverJob {
  constructor(
    private readonly recover: RecoverDeliveries,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(30_000)
  @AtStart()
  async run(): Promise<void> {
    await this.runner
      .run('recover-deliveries', () => this.recover.run())
      .catch((error: Error) =>
        log.warn({ event: 'events.not_recovered', error: error.message }, 'tried again in 30 s'),
      );
  }
}
