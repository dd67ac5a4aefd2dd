/** Writes down what came of an attempt, and in the same transaction sees to the next one. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { backoffSeconds } from '#libs/domain';
import { Jobs } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { DeliveryStore, type AttemptRecord, type LeasedEvent } from '../db/delivery.store';
import type { Outcome } from '../delivery';

const MAX_ATTEMPTS = 8;
const BETWEEN_ATTEMPTS = { firstSeconds: 60, capSeconds: 3_600 };

@Injectable()
export class RecordAttempt {
  constructor(
    private readonly db: Db,
    private readonly deliveries: DeliveryStore,
    private readonly jobs: Jobs,
  ) {}

  /** Answers in how many seconds the next attempt is due; null where there is none. */
  async run(event: LeasedEvent, outcome: Outcome): Promise<number | null> {
    const record = recordOf(event, outcome);
    const ours = await this.write(event, record);
    if (!ours) log.warn({ event: 'event.lease_lost', eventId: event.id }, 'another attempt of this event counts');
    return ours ? record.againInSeconds : null;
  }

  private write(event: LeasedEvent, record: AttemptRecord): Promise<boolean> {
    const { againInSeconds } = record;
    // Every later attempt is made by one and the same job, which simply comes back.
    if (againInSeconds === null || event.attempts > 0) return this.deliveries.record(event, record);
    return this.db.inTransaction(async () => {
      if (!(await this.deliveries.record(event, record))) return false;
      const retry = { name: 'event.retry', entityId: event.id, lane: event.clientId } as const;
      await this.jobs.add([{ ...retry, delaySeconds: againInSeconds }]);
      return true;
    });
  }
}

function recordOf(event: LeasedEvent, outcome: Outcome): AttemptRecord {
  const attempts = event.attempts + 1;
  const none = { statusCode: null, error: null, againInSeconds: null };
  switch (outcome.kind) {
    case 'delivered':
      return { ...none, status: 'delivered', attempts, statusCode: outcome.statusCode };
    case 'undeliverable':
      return { ...none, status: 'failed', attempts: event.attempts, error: outcome.error };
    case 'failed': {
      const { statusCode, error } = outcome;
      if (attempts >= MAX_ATTEMPTS) return { ...none, status: 'failed', attempts, statusCode, error };
      return {
        status: 'pending',
        attempts,
        statusCode,
        error,
        againInSeconds: backoffSeconds(BETWEEN_ATTEMPTS, attempts),
      };
    }
  }
}
