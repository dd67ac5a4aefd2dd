/** A later attempt of one event, if it is due. */
import { Injectable } from '@nestjs/common';
import { DeliveryStore } from '../db/delivery.store';
import { AttemptDelivery } from './attempt-delivery';

@Injectable()
export class RetryEvent {
  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly attempt: AttemptDelivery,
  ) {}

  /** Answers in how many seconds there is more to do; null where the event was delivered or has failed for good. */
  async run(eventId: string): Promise<number | null> {
    const event = await this.deliveries.leaseAgain(eventId);
    return event ? (await this.attempt.run(event)).againInSeconds : this.deliveries.waitFor(eventId);
  }
}
