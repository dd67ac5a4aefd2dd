/** The first attempts of one payout's or payee's events, one after the other, in the order in which things happened. */
import { Injectable } from '@nestjs/common';
import { Batcher } from '#libs/batcher';
import type { HeldJob, TakenJob } from '#libs/jobs';
import { DeliveryReads, type DueEvent } from '../db/delivery.reads';
import { FailingReceivers } from '../failing-receivers';
import { AttemptDelivery } from './attempt-delivery';

/** An entry older than this is read again: another process may have put its receiver to rest. */
const FRESH_MS = 1_000;
/** Then others of its client have their turn: its events may come as fast as they are delivered. */
const MOST_IN_A_TURN = 100;

type ToldJob = HeldJob & Pick<TakenJob, 'signal'>;

@Injectable()
export class AnnounceEvents {
  /** Looks at the same time are one statement. */
  private readonly looks = new Batcher<string, DueEvent[]>((entityIds) => this.first(entityIds), {
    most: 64,
    atOnce: 2,
  });

  constructor(
    private readonly deliveries: DeliveryReads,
    private readonly attempt: AttemptDelivery,
    private readonly failing: FailingReceivers,
  ) {}

  /**
   * A first attempt that fails does not hold back the events after it: it has a retry of its own. One that is not made,
   * because the receiver rests or has enough to do, does. Once it is told to end, the attempt under way is the last: another process goes
   * on. Returns in how many seconds there is more to do; null if all events had their first attempt.
   */
  async run(entityId: string, job: ToldJob): Promise<number | null> {
    let next: DueEvent[] = [];
    let readAt = 0;
    for (let made = 0; made < MOST_IN_A_TURN && !job.signal.aborted; made += 1) {
      if (next.length === 0 || performance.now() - readAt > FRESH_MS || this.mayRest(next)) {
        readAt = performance.now();
        next = await this.looks.add(entityId);
      }
      const event = next.shift();
      if (!event) return this.deliveries.waitForFirst(entityId);
      const attempted = await this.attempt.run({ ...event, job });
      if (!attempted.made) return attempted.againInSeconds;
      // All had their first attempt, or the job is another worker's by now.
      if (!attempted.goesOn) return null;
    }
    return 0;
  }

  /** Since they were read an attempt failed, or they were read while the last one had. */
  private mayRest([event]: DueEvent[]): boolean {
    return event !== undefined && (event.receiver !== null || this.failing.has(event.clientId));
  }

  private async first(entityIds: string[]): Promise<DueEvent[][]> {
    const found = new Map(entityIds.map((id): [string, DueEvent[]] => [id, []]));
    for (const event of await this.deliveries.firstOf(entityIds)) found.get(event.entityId)?.push(event);
    return entityIds.map((id) => [...(found.get(id) ?? [])]);
  }
}
