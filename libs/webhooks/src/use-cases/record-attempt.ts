/** Writes down what came of an attempt, and in the same transaction sees to the next one and to its receiver. */
import { Injectable } from '@nestjs/common';
import { Batcher } from '#libs/batcher';
import { Db } from '#libs/db';
import { type AttemptRecord, EventBook, type Made, type Recorded } from '#libs/events';
import { Jobs } from '#libs/jobs';
import { log } from '#libs/telemetry';
import type { HeldEvent } from '../db/delivery.reads';
import { type Failing, ReceiverStore } from '../db/receiver.store';
import type { Failed, Undeliverable } from '../delivery';
import { FailingReceivers } from '../failing-receivers';
import { receiverMetrics } from '../receiver-metrics';
import { secondsToNext } from '../schedule';
import type { Sent } from './send-delivery';

export interface Progress {
  /** Until the next attempt; null if there is none. */
  againInSeconds: number | null;
  /** The job is still held, and another of its entity's events waits for its first attempt. */
  goesOn: boolean;
}

@Injectable()
export class RecordAttempt {
  /** What goes well is written together with what goes well at the same time. */
  private readonly together = new Batcher<Made, Recorded>((made) => this.book.record(made), {
    most: 64,
    atOnce: 2,
    laneOf: ({ event }) => event.clientId,
  });

  constructor(
    private readonly db: Db,
    private readonly book: EventBook,
    private readonly receivers: ReceiverStore,
    private readonly jobs: Jobs,
    private readonly failing: FailingReceivers,
  ) {}

  async made(event: HeldEvent, sent: Sent, probe: boolean): Promise<Progress> {
    const { outcome } = sent;
    if (outcome.kind === 'undeliverable') return this.unsent(event, outcome);
    if (outcome.kind === 'failed') return this.failed(event, { ...sent, outcome }, probe);
    const attempts = event.attempts + 1;
    const none = { error: null, againInSeconds: null };
    const { statusCode } = outcome;
    const record = { ...none, status: 'delivered', attempts, statusCode, attempt: attemptOf(sent) } as const;
    const recorded = await this.seenTo({ event, record }, await this.together.add({ event, record }));
    this.failing.acknowledged(event.clientId);
    if (event.receiver) await this.recovered(event.clientId, sent.delivery.host);
    return { againInSeconds: null, goesOn: recorded === 'more' };
  }

  async unsent(event: HeldEvent, { error }: Undeliverable): Promise<Progress> {
    const { attempts } = event;
    const none = { statusCode: null, againInSeconds: null, attempt: null };
    const recorded = await this.write(event, { ...none, status: 'failed', attempts, error });
    return { againInSeconds: null, goesOn: recorded === 'more' };
  }

  private async failed(event: HeldEvent, sent: Sent & { outcome: Failed }, probe: boolean): Promise<Progress> {
    const { outcome, delivery } = sent;
    this.failing.failed(event.clientId);
    const attempts = event.attempts + 1;
    const againInSeconds = secondsToNext(attempts);
    const status = againInSeconds === null ? 'failed' : 'pending';
    const { statusCode, error } = outcome;
    const record = { status, attempts, statusCode, error, againInSeconds, attempt: attemptOf(sent) } as const;
    const { recorded, failing } = await this.db.inTransaction(async () => {
      const written = await this.write(event, record);
      if (written === 'lost') return { recorded: written, failing: null };
      // Every later attempt is made by one and the same job, which simply comes back.
      if (againInSeconds !== null && event.attempts === 0) await this.retryIn(againInSeconds, event);
      return { recorded: written, failing: await this.receivers.failed(event.clientId, delivery, outcome, probe) };
    });
    if (failing?.restSeconds) tellOfRest(event.clientId, delivery.host, outcome, failing);
    return { againInSeconds: failing && againInSeconds, goesOn: recorded === 'more' };
  }

  /** In the caller's transaction, if there is one. */
  private async write(event: HeldEvent, record: AttemptRecord): Promise<Recorded> {
    const [recorded = 'lost'] = await this.book.record([{ event, record }]);
    return this.seenTo({ event, record }, recorded);
  }

  private async seenTo(made: Made, recorded: Recorded): Promise<Recorded> {
    if (recorded !== 'lost') return recorded;
    log.warn({ event: 'event.lease_lost', eventId: made.event.id }, 'another attempt of this event counts');
    await this.book.recordLate(made);
    return recorded;
  }

  private retryIn(delaySeconds: number, { id, clientId }: HeldEvent): Promise<void> {
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
