/** Sends one delivery outside of any transaction, keeps the event's lease meanwhile, and takes the time. */
import { Injectable } from '@nestjs/common';
import { InjectClock } from '#libs/clock';
import { Db } from '#libs/db';
import type { Clock } from '#libs/domain';
import { log } from '#libs/telemetry';
import { DeliveryStore, type LeasedEvent } from '../db/delivery.store';
import type { Delivery, Outcome } from '../delivery';
import { Egress } from '../egress';

const RENEW_MS = 1_500;

export interface Sent {
  delivery: Delivery;
  outcome: Outcome;
  startedAt: Date;
  durationMs: number;
}

@Injectable()
export class SendDelivery {
  constructor(
    private readonly db: Db,
    private readonly egress: Egress,
    private readonly deliveries: DeliveryStore,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async run(delivery: Delivery): Promise<Sent> {
    this.db.assertNoTransaction('The delivery of an event');
    const startedAt = this.clock.now();
    const from = performance.now();
    const outcome = await this.egress.post(delivery);
    return { delivery, outcome, startedAt, durationMs: Math.round(performance.now() - from) };
  }

  /** The lease is short, so that a killed worker's attempt is soon made again; a slow receiver's outlives it. */
  async leased(event: LeasedEvent, delivery: Delivery): Promise<Sent> {
    const renewal = setInterval(() => {
      this.deliveries
        .renew(event)
        .catch((error: Error) => log.warn({ event: 'event.not_renewed', error: error.message }, 'the lease runs on'));
    }, RENEW_MS);
    try {
      return await this.run(delivery);
    } finally {
      clearInterval(renewal);
    }
  }
}
