/** The first attempts of one payout's or payee's events, one after the other, in the order in which things happened. */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DeliveryStore } from '../db/delivery.store';
import { AttemptDelivery } from './attempt-delivery';

@Injectable()
export class AnnounceEvents implements OnModuleDestroy {
  private stopping = false;

  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly attempt: AttemptDelivery,
  ) {}

  /**
   * A first attempt that fails does not hold back the events after it: it has a retry of its own. One that is not made,
   * because the receiver rests or has enough to do, does. Answers in how many seconds there is more to do; null where all
   * events had their first attempt.
   */
  async run(entityId: string): Promise<number | null> {
    while (!this.stopping) {
      const event = await this.deliveries.leaseFirst(entityId);
      if (!event) return this.deliveries.waitForFirst(entityId);
      const attempted = await this.attempt.run(event);
      if (!attempted.made) return attempted.againInSeconds;
      if (attempted.isLast) return null;
    }
    return 0;
  }

  /** The process that is stopping ends after the attempt under way; another one goes on. */
  onModuleDestroy(): void {
    this.stopping = true;
  }
}
