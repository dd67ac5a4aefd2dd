/** The later attempts of one event. The job comes back until the event is delivered or has failed for good. */
import { Injectable } from '@nestjs/common';
import { type JobOutcome, OnJob } from '#libs/jobs';
import { DeliveryStore } from '../db/delivery.store';
import { AttemptDelivery } from '../use-cases/attempt-delivery';

@Injectable()
export class RetryJob {
  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly attempt: AttemptDelivery,
  ) {}

  @OnJob('event.retry')
  async run(eventId: string): Promise<JobOutcome> {
    const event = await this.deliveries.leaseAgain(eventId);
    const seconds = event ? await this.attempt.run(event) : await this.deliveries.waitFor(eventId);
    return seconds === null ? undefined : { againInSeconds: seconds };
  }
}
