/** What operators read about events and their delivery. */
import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '#libs/domain';
import { EVENT_STATUSES, type EventStatus, type StoredEvent } from '../event';

const nullableTime = { type: String, format: 'date-time', nullable: true } as const;

export class EventView {
  @ApiProperty({ format: 'uuid', description: 'The eventId of its payload.' }) id: string;
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ enum: EVENT_TYPES, example: 'payout.status' }) type: EventType;
  @ApiProperty({ format: 'uuid', description: 'The payout or payee it is about.' }) entityId: string;
  @ApiProperty({ type: 'integer', description: 'Rises with each event of the entity.', example: 4 }) sequence: number;
  @ApiProperty({
    enum: EVENT_STATUSES,
    description: '`skipped`: the client was not subscribed; it is recorded and not sent.',
    example: 'delivered',
  })
  status: EventStatus;
  @ApiProperty({ type: 'integer', description: 'Those made; 8 are made at most.', example: 1 }) attempts: number;
  @ApiProperty(nullableTime) nextAttemptAt: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 204 }) lastStatusCode: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Why the last attempt failed.' }) lastError: string | null;
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
  @ApiProperty({ type: String, nullable: true, description: 'Give it back as `cursor`; null on the last page.' })
  nextCursor: string | null;
}
