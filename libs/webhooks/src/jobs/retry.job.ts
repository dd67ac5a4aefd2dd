/** One job for all later attempts of an event: it comes back until there is nothing more to do. */
import { Injectable } from '@nestjs/common';
import { type HeldJob, type JobOutcome, OnJob } from '#libs/jobs';
import { RetryEvent } from '../use-cases/retry-event';

@Injectable()
export class RetryJob {
  constructor(private readonly retry: RetryEvent) {}

  @OnJob('event.retry')
  async run(eventId: string, _attempts: number, job: HeldJob): Promise<JobOutcome> {
    const seconds = await this.retry.run(eventId, job);
    return seconds === null ? undefined : { againInSeconds: seconds };
  }
}
