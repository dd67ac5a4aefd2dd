/** Events and their delivery, as callers and operators read them. */
import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType, isOurPage } from '#libs/domain';
import { EVENT_STATUSES, type EventStatus } from '#libs/events';
import type { EventAttempt, StoredEvent } from '../event';
import { FAILURE_KINDS, type FailureKind } from '../failure-kind';

const nullableTime = { type: String, format: 'date-time', nullable: true } as const;

export class EventView {
  @ApiProperty({ format: 'uuid', description: 'The eventId of its payload.' }) id: string;
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ enum: EVENT_TYPES, example: 'payout.status' }) type: EventType;
  @ApiProperty({
    enum: EVENT_STATUSES,
    description: '`skipped`: the client was not subscribed; it is recorded and not sent.',
    example: 'delivered',
  })
  status: EventStatus;
  @ApiProperty({
    type: 'integer',
    description: 'Those made since it was made or replayed; 8 are made at most.',
    example: 1,
  })
  attempts: number;
  @ApiProperty({ ...nullableTime, description: 'Null where none is due, and while the first one is under way.' })
  nextAttemptAt: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 204 }) lastStatusCode: number | null;
  @ApiProperty({ type: 'object', additionalProperties: true }) payload: Record<string, unknown>;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export class EventAttemptView {
  @ApiProperty({ type: 'integer', description: 'Counted on over replays.', example: 1 }) number: number;
  @ApiProperty({ format: 'date-time' }) startedAt: string;
  @ApiProperty({ type: 'integer', example: 87 }) durationMs: number;
  @ApiProperty({ description: 'Of the URL it went to; the rest of the URL is not kept.', example: 'hooks.example.com' })
  host: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null where no answer came.', example: 204 })
  statusCode: number | null;
  @ApiProperty({ enum: FAILURE_KINDS, nullable: true, description: 'Null where it was acknowledged.' })
  error: FailureKind | null;
  @ApiProperty({ type: String, nullable: true, description: 'The first 1,024 bytes of the answer.', example: 'ok' })
  responseExcerpt: string | null;
}

export class EventDetailView extends EventView {
  @ApiProperty({ format: 'uuid', description: 'The payout or payee it is about.' }) entityId: string;
  @ApiProperty({ type: 'integer', description: 'Rises with each event of the entity.', example: 4 }) sequence: number;
  @ApiProperty({ type: String, nullable: true, description: 'Why the last attempt failed.' }) lastError: string | null;
  @ApiProperty(nullableTime) deliveredAt: string | null;
  @ApiProperty({ type: [EventAttemptView], description: 'Newest first, at most 100.' }) attemptLog: EventAttemptView[];
}

export function eventView(event: StoredEvent): EventView {
  const { id, clientId, type, status, attempts, nextAttemptAt, lastStatusCode, payload, createdAt } = event;
  return {
    id,
    clientId,
    type,
    status,
    attempts,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    lastStatusCode,
    payload: withoutOurPage(payload),
    createdAt: createdAt.toISOString(),
  };
}

export function eventDetailView(event: StoredEvent, attempts: EventAttempt[]): EventDetailView {
  const { entityId, sequence, lastError, deliveredAt } = event;
  return {
    ...eventView(event),
    entityId,
    sequence,
    lastError,
    deliveredAt: deliveredAt?.toISOString() ?? null,
    attemptLog: attempts.map(attemptView),
  };
}

/** The link is put in when the event is sent: whoever has it needs no log-in. */
function withoutOurPage(payload: Record<string, unknown>): Record<string, unknown> {
  const { claimUrl } = payload;
  return typeof claimUrl === 'string' && isOurPage(claimUrl) ? { ...payload, claimUrl: null } : payload;
}

function attemptView({
  number,
  startedAt,
  durationMs,
  host,
  statusCode,
  error,
  excerpt,
}: EventAttempt): EventAttemptView {
  return { number, startedAt: startedAt.toISOString(), durationMs, host, statusCode, error, responseExcerpt: excerpt };
}

export class EventPage {
  @ApiProperty({ type: [EventView] }) data: EventView[];
  @ApiProperty({ type: String, nullable: true, description: 'Give it back as `cursor`; null on the last page.' })
  nextCursor: string | null;
}
