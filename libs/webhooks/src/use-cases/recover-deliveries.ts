/**
 * The net under the jobs: events that are to be delivered and have no job get one. Jobs are made in the transaction that
 * makes them necessary, so this finds nothing, unless somebody cleaned the jobs table or restored part of a backup. What
 * waits for a receiver that was moved since is let go on.
 */
import { Injectable } from '@nestjs/common';
import { Jobs } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { DeliveryReads } from '../db/delivery.reads';
import { WakeReceiver } from './wake-receiver';

const GRACE_SECONDS = 30;
/** At a time; the rest is found the next time. */
const MOST = 1_000;

@Injectable()
export class RecoverDeliveries {
  constructor(
    private readonly deliveries: DeliveryReads,
    private readonly jobs: Jobs,
    private readonly receivers: WakeReceiver,
  ) {}

  async run(): Promise<{ announced: number; retried: number; moved: number }> {
    const moved = await this.receivers.moved();
    const announced = await this.deliveries.unannounced(GRACE_SECONDS, MOST);
    const retried = await this.deliveries.unretried(GRACE_SECONDS, MOST);
    await this.jobs.add([
      ...announced.map(({ id, lane }) => ({ name: 'events.announce' as const, entityId: id, lane })),
      ...retried.map(({ id, lane }) => ({ name: 'event.retry' as const, entityId: id, lane })),
    ]);
    const found = { announced: announced.length, retried: retried.length };
    if (announced.length + retried.length > 0)
      log.warn({ event: 'events.recovered', ...found }, 'events had lost their jobs');
    return { ...found, moved };
  }
}
