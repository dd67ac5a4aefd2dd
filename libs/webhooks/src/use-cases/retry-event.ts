/** A later attempt of one event, if it is due. */
import { Injectable } from '@nestjs/common';
import type { HeldJob } from '#libs/jobs';
import { DeliveryReads } from '../db/delivery.reads';
import { AttemptDelivery } from './attempt-delivery';

@Injectable()
export class RetryEvent {
  constructor(
    private readonly deliveries: DeliveryReads,
    private readonly attempt: AttemptDelivery,
  ) {}

  /** Returns in how many seconds there is more to do; null if the event was delivered or has failed for good. */
  async run(eventId: string, job: HeldJob): Promise<number | null> {
    const event = await this.deliveries.again(eventId);
    return event ? (await this.attempt.run({ ...event, job })).againInSeconds : this.deliveries.waitFor(eventId);
  }
}
