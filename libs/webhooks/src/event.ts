/** An event as stored: what a caller is told, and how far telling it is. */
import type { EventType } from '#libs/domain';
import type { EventStatus, MadeAttempt } from '#libs/events';
import type { FailureKind } from './failure-kind';

export interface StoredEvent {
  id: string;
  clientId: string;
  type: EventType;
  entityId: string;
  sequence: number;
  payload: Record<string, unknown>;
  status: EventStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  deliveredAt: Date | null;
  createdAt: Date;
}

/** One attempt to deliver it. Attempts are counted on over replays. */
export interface EventAttempt extends MadeAttempt {
  number: number;
  error: FailureKind | null;
}
