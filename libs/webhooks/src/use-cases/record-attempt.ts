/** Writes down what came of an attempt, and in the same transaction sees to the next one and to its receiver. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { Jobs } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { DeliveryStore, type AttemptRecord, type LeasedEvent } from '../db/delivery.store';
import { type Failing, ReceiverStore } from '../db/receiver.store';
import type { Failed, Undeliverable } from '../delivery';
import { receiverMetrics } from '../receiver-metrics';
import { secondsToNext } from '../schedule';
import type { Sent } from './send-delivery';

@Injectable()
export class RecordAttempt {
  constructor(
    private readonly db: Db,
    private readonly deliveries: DeliveryStore,
    private readonly receivers: ReceiverStore,
    private readonly jobs: Jobs,
  ) {}

  /** Answers in how many seconds the next attempt is due; null where there is none. */
  async made(event: LeasedEvent, sent: Sent, probe: boolean): Promise<number | null> {
    const { outcome } = sent;
    if (outcome.kind === 'undeliverable') return this.unsent(event, outcome);
    if (outcome.kind === 'failed') return this.failed(event, { ...sent, outcome }, probe);
    const attempts = event.attempts + 1;
    const none = { error: null, againInSeconds: null };
    const { statusCode } = outcome;
    await this.write(event, { ...none, status: 'delivered', attempts, statusCode, attempt: attemptOf(sent) });
    if (event.receiver) await this.recovered(event.clientId, sent.delivery.host);
    return null;
  }

  async unsent(event: LeasedEvent, { error }: Undeliverable): Promise<null> {
    const { attempts } = event;
    const none = { statusCode: null, againInSeconds: null, attempt: null };
    await this.write(event, { ...none, status: 'failed', attempts, error });
    return null;
  }

  private async failed(event: LeasedEvent, sent: Sent & { outcome: Failed }, probe: boolean): Promise<number | null> {
    const { outcome, delivery } = sent;
    const attempts = event.attempts + 1;
    const againInSeconds = secondsToNext(attempts);
    const status = againInSeconds === null ? 'failed' : 'pending';
    const { statusCode, error } = outcome;
    const record = { status, attempts, statusCode, error, againInSeconds, attempt: attemptOf(sent) } as const;
    const failing = await this.db.inTransaction(async () => {
      if (!(await this.write(event, record))) return null;
      // Every later attempt is made by one and the same job, which simply comes back.
      if (againInSeconds !== null && event.attempts === 0) await this.retryIn(againInSeconds, event);
      return this.receivers.failed(event.clientId, delivery, outcome, probe);
    });
    if (failing?.restSeconds) tellOfRest(event.clientId, delivery.host, outcome, failing);
    return failing && againInSeconds;
  }

  private async write(event: LeasedEvent, record: AttemptRecord): Promise<boolean> {
    const ours = await this.deliveries.record(event, record);
    if (!ours) log.warn({ event: 'event.lease_lost', eventId: event.id }, 'another attempt of this event counts');
    return ours;
  }

  private retryIn(delaySeconds: number, { id, clientId }: LeasedEvent): Promise<void> {
    return this.jobs.add([{ name: 'event.retry', entityId: id, lane: clientId, delaySeconds }]);
  }

  /** It acknowledged an event, whosever word counts about the event itself. */
  private async recovered(clientId: string, host: string): Promise<void> {
    if (await this.receivers.recovered(clientId))
      log.info({ event: 'receiver.recovered', clientId, host }, 'a receiver that failed acknowledged again');
  }
}

function attemptOf({ delivery, outcome, startedAt, durationMs }: Sent): AttemptRecord['attempt'] {
  const about = { startedAt, durationMs, host: delivery.host };
  if (outcome.kind === 'undeliverable') return null;
  const { statusCode, excerpt } = outcome;
  return { ...about, statusCode, excerpt, error: outcome.kind === 'failed' ? outcome.reason : null };
}

function tellOfRest(clientId: string, host: string, { statusCode, error }: Failed, failing: Failing): void {
  receiverMetrics.rests.inc();
  log.warn(
    { event: 'receiver.resting', clientId, host, statusCode, error, ...failing },
    'a receiver keeps failing and is left alone for a while; its events wait',
  );
}
