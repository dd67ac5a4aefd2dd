/** One attempt to deliver an event whose lease the caller holds: prepare, send, record, and one line in the log. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { log, metrics } from '#libs/telemetry';
import { DeliveryStore, type LeasedEvent } from '../db/delivery.store';
import type { Outcome } from '../delivery';
import { Egress } from '../egress';
import { PrepareDelivery } from './prepare-delivery';
import { RecordAttempt } from './record-attempt';

const RENEW_MS = 1_500;

@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly db: Db,
    private readonly prepare: PrepareDelivery,
    private readonly egress: Egress,
    private readonly record: RecordAttempt,
    private readonly deliveries: DeliveryStore,
  ) {}

  /** Answers in how many seconds the next attempt is due; null where there is none. */
  async run(event: LeasedEvent): Promise<number | null> {
    this.db.assertNoTransaction('The delivery of an event');
    const startedAt = performance.now();
    const outcome = await this.sendLeased(event);
    const ms = performance.now() - startedAt;
    const againInSeconds = await this.record.run(event, outcome);
    metrics.deliveries.observe({ outcome: outcome.kind }, ms / 1_000);
    log.info({ ...wideLine(event, outcome), ms: Math.round(ms), againInSeconds }, outcome.kind);
    return againInSeconds;
  }

  /** The lease is short, so that a killed worker's attempt is soon made again; a slow receiver's outlives it. */
  private async sendLeased(event: LeasedEvent): Promise<Outcome> {
    const renewal = setInterval(() => {
      this.deliveries
        .renew(event)
        .catch((error: Error) => log.warn({ event: 'event.not_renewed', error: error.message }, 'the lease runs on'));
    }, RENEW_MS);
    try {
      return await this.send(event);
    } finally {
      clearInterval(renewal);
    }
  }

  private async send(event: LeasedEvent): Promise<Outcome> {
    const prepared = await this.prepare.run(event);
    return 'url' in prepared ? this.egress.post(prepared) : prepared;
  }
}

/** No URL, and no text that may hold one: paths of webhook URLs are often secrets. */
function wideLine({ id, type, clientId, entityId, sequence, attempts }: LeasedEvent, outcome: Outcome): object {
  return {
    event: 'event.attempted',
    eventId: id,
    type,
    clientId,
    entityId,
    sequence,
    attempt: attempts + 1,
    outcome: outcome.kind,
    statusCode: outcome.kind === 'undeliverable' ? null : outcome.statusCode,
    error: outcome.kind === 'delivered' ? null : outcome.error,
  };
}
