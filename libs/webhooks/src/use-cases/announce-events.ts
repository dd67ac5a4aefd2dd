/** The first attempts of one payout's or payee's events, one after the other, in the order in which things happened. */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Batcher } from '#libs/batcher';
import type { HeldJob } from '#libs/jobs';
import { DeliveryReads, type DueEvent } from '../db/delivery.reads';
import { AttemptDelivery } from './attempt-delivery';

@Injectable()
export class AnnounceEvents implements OnModuleDestroy {
  private stopping = false;
  /** What is looked for at the same time is found by one statement. */
  private readonly looks = new Batcher<string, DueEvent | null>((entityIds) => this.first(entityIds), {
    most: 64,
    atOnce: 2,
  });

  constructor(
    private readonly deliveries: DeliveryReads,
    private readonly attempt: AttemptDelivery,
  ) {}

  /**
   * A first attempt that fails does not hold back the events after it: it has a retry of its own. One that is not made,
   * because the receiver rests or has enough to do, does. Returns in how many seconds there is more to do; null if all
   * events had their first attempt.
   */
  async run(entityId: string, job: HeldJob): Promise<number | null> {
    while (!this.stopping) {
      const event = await this.looks.add(entityId);
      if (!event) return this.deliveries.waitForFirst(entityId);
      const attempted = await this.attempt.run({ ...event, job });
      if (!attempted.made) return attempted.againInSeconds;
      // All had their first attempt, or the job is another worker's by now.
      if (!attempted.goesOn) return null;
    }
    return 0;
  }

  private async first(entityIds: string[]): Promise<(DueEvent | null)[]> {
    const found = new Map((await this.deliveries.firstOf(entityIds)).map((event) => [event.entityId, event]));
    return entityIds.map((id) => found.get(id) ?? null);
  }

  /** The process that is stopping ends after the attempt under way; another one goes on. */
  onModuleDestroy(): void {
    this.stopping = true;
  }
}
