/** What operators read about events and their delivery. */
import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '#libs/domain';
import { EVENT_STATUSES, type EventStatus, type StoredEvent } from '../event';

const nullableTime = { type: String, format: 'date-time', nullable: true } as const;

export class EventView {
  @ApiProperty({ format: 'uuid', description: 'The eventId of its payload.' }) id: string;
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ enum: EVENT_TYPES }) type: EventType;
  @ApiProperty({ format: 'uuid', description: 'The payout or payee it is about.' }) entityId: string;
  @ApiProperty({ type: 'integer', description: 'Rises with each event of the entity.' }) sequence: number;
  @ApiProperty({ enum: EVENT_STATUSES }) status: EventStatus;
  @ApiProperty({ type: 'integer' }) attempts: number;
  @ApiProperty(nullableTime) nextAttemptAt: string | null;
  @ApiProperty({ type: 'integer', nullable: true }) lastStatusCode: number | null;
  @ApiProperty({ type: String, nullable: true }) lastError: string | null;
  @ApiProperty(nullableTime) deliveredAt: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true }) payload: Record<string, unknown>;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export function eventView(event: StoredEvent): EventView {
  const { id, clientId, type, entityId, sequence, status, attempts, lastStatusCode, lastError, payload } = event;
  return {
    id,
    clientId,
    type,
    entityId,
    sequence,
    status,
    attempts,
    nextAttemptAt: event.nextAttemptAt?.toISOString() ?? null,
    lastStatusCode,
    lastError,
    deliveredAt: event.deliveredAt?.toISOString() ?? null,
    payload,
    createdAt: event.createdAt.toISOString(),
  };
}

export class EventPage {
  @ApiProperty({ type: [EventView] }) data: EventView[];
  @ApiProperty({ type: String, nullable: true }) nextCursor: string | null;
}
