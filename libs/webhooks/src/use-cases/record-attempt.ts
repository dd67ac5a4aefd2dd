/** Writes down what came of an attempt, and in the same transaction sees to the next one and to its receiver. */
import { Injectable } from '@nestjs/common';
import { Batcher, FairSlots, FreeFirst } from '#libs/batcher';
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

/** Each has a connection meanwhile. */
const WAITING = { atOnce: 3, perLane: 1 };

const clientOf = ({ event }: Made): string => event.clientId;

export interface Progress {
  /** Until the next attempt; null if there is none. */
  againInSeconds: number | null;
  /** The job is still held, and another of its entity's events waits for its first attempt. */
  goesOn: boolean;
}

@Injectable()
export class RecordAttempt {
  /** Attempts that succeed at the same time are written together. */
  private readonly together = new Batcher<Made, Recorded | 'busy'>((made) => this.book.recordFree(made), {
    most: 64,
    atOnce: 2,
    laneOf: clientOf,
  });
  /** Of a client whose rows somebody holds, for many at a time: it keeps no other waiting, nor their connections. */
  private readonly waiting = new FairSlots(WAITING);
  private readonly freeFirst = new FreeFirst<Made, Recorded>(
    { free: (made) => this.book.recordFree(made), waiting: (made) => this.book.record(made) },
    { laneOf: clientOf, slots: this.waiting },
  );

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
    const recorded = await this.seenTo({ event, record }, await this.freeFirst.run({ event, record }, this.together));
    this.failing.acknowledged(event.clientId);
    if (event.receiver) await this.recovered(event.clientId, sent.delivery.host);
    return { againInSeconds: null, goesOn: recorded === 'more' };
  }

  async unsent(event: HeldEvent, { error }: Undeliverable): Promise<Progress> {
    const { attempts } = event;
    const none = { statusCode: null, againInSeconds: null, attempt: null };
    const record = { ...none, status: 'failed', attempts, error } as const;
    const written = await this.onceFree<Recorded>(event, (made) => made({ event, record }));
    const recorded = await this.seenTo({ event, record }, written);
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
    const { recorded, failing } = await this.onceFree(event, (made) =>
      this.db.inTransaction(async () => {
        const written = await made({ event, record });
        if (written === 'busy') return written;
        if (written === 'lost') return { recorded: await this.seenTo({ event, record }, written), failing: null };
        // Every later attempt is made by one and the same job, which simply comes back.
        if (againInSeconds !== null && event.attempts === 0) await this.retryIn(againInSeconds, event);
        return { recorded: written, failing: await this.receivers.failed(event.clientId, delivery, outcome, probe) };
      }),
    );
    if (failing?.restSeconds) tellOfRest(event.clientId, delivery.host, outcome, failing);
    return { againInSeconds: failing && againInSeconds, goesOn: recorded === 'more' };
  }

  /** By itself: without waiting first, and then in its client's turn. */
  private async onceFree<T>(
    { clientId }: HeldEvent,
    work: (made: (one: Made) => Promise<Recorded | 'busy'>) => Promise<T | 'busy'>,
  ): Promise<T> {
    const first = await work(async (one) => (await this.book.recordFree([one]))[0] ?? 'lost');
    if (first !== 'busy') return first;
    return this.waiting.run(clientId, () =>
      work(async (one) => (await this.book.record([one]))[0] ?? 'lost'),
    ) as Promise<T>;
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
