/** Sends one delivery outside of any transaction, and takes the time. */
import { Injectable } from '@nestjs/common';
import { InjectClock } from '#libs/clock';
import { Db } from '#libs/db';
import type { Clock } from '#libs/domain';
import type { Delivery, Outcome } from '../delivery';
import { Egress } from '../egress';

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
    @InjectClock() private readonly clock: Clock,
  ) {}

  async run(delivery: Delivery): Promise<Sent> {
    this.db.assertNoTransaction('The delivery of an event');
    const startedAt = this.clock.now();
    const from = performance.now();
    const outcome = await this.egress.post(delivery);
    return { delivery, outcome, startedAt, durationMs: Math.round(performance.now() - from) };
  }
}
