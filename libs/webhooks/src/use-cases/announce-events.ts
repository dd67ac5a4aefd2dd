/** The first attempts of one payout's or payee's events, one after the other, in the order in which things happened. */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DeliveryStore } from '../db/delivery.store';
import { AttemptDelivery } from './attempt-delivery';

const LEASED_BY_ANOTHER = 1;

@Injectable()
export class AnnounceEvents implements OnModuleDestroy {
  private stopping = false;

  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly attempt: AttemptDelivery,
  ) {}

  /**
   * A first attempt that fails does not hold back the events after it: it has a retry of its own. Answers in how many
   * seconds there is more to do; null where all events had their first attempt.
   */
  async run(entityId: string): Promise<number | null> {
    while (!this.stopping) {
      const event = await this.deliveries.leaseFirst(entityId);
      if (!event) return (await this.deliveries.hasUnattempted(entityId)) ? LEASED_BY_ANOTHER : null;
      await this.attempt.run(event);
    }
    return 0;
  }

  /** The process that is stopping ends after the attempt under way; another one goes on. */
  onModuleDestroy(): void {
    this.stopping = true;
  }
}
