/** An event as stored: what a caller is told, and how far telling it is. */
import type { EventType } from '#libs/domain';

export const EVENT_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

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
