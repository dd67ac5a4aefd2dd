/** The first attempts of one payout's or payee's events, one after the other, in the order in which things happened. */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type JobOutcome, OnJob } from '#libs/jobs';
import { DeliveryStore } from '../db/delivery.store';
import { AttemptDelivery } from '../use-cases/attempt-delivery';

@Injectable()
export class AnnounceJob implements OnModuleDestroy {
  private stopping = false;

  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly attempt: AttemptDelivery,
  ) {}

  /** A first attempt that fails does not hold back the events after it: it has a retry of its own. */
  @OnJob('events.announce')
  async run(entityId: string): Promise<JobOutcome> {
    while (!this.stopping) {
      const event = await this.deliveries.leaseFirst(entityId);
      if (!event) return (await this.deliveries.hasUnattempted(entityId)) ? { againInSeconds: 1 } : undefined;
      await this.attempt.run(event);
    }
    return { againInSeconds: 0 };
  }

  /** The process that is stopping ends after the attempt under way; another one goes on. */
  onModuleDestroy(): void {
    this.stopping = true;
  }
}
