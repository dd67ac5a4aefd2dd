import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { EVENT_TYPES, type EventType } from '#libs/domain';
import { EVENT_STATUSES, type EventStatus } from '#libs/events';
import { Id, Limit, OneOf } from '#libs/http-kit';
import type { RestingReceiver } from '#libs/webhooks';

const once = { message: 'must be sent once' };
const time = (description: string) => ({ required: false, format: 'date-time', description }) as const;
const nullableText = { type: String, nullable: true } as const;

export class SearchEventsQuery {
  @Limit() limit?: number;
  @ApiProperty({ required: false, description: 'nextCursor of the page before.' })
  @IsOptional()
  @IsString(once)
  cursor?: string;
  @Id({ optional: true, description: 'Only of this client.' }) clientId?: string;
  @OneOf(EVENT_TYPES, { optional: true }) type?: EventType;
  @OneOf(EVENT_STATUSES, { optional: true }) status?: EventStatus;
  @ApiProperty(time('Made then or later.')) @IsOptional() @IsString(once) from?: string;
  @ApiProperty(time('Made before then.')) @IsOptional() @IsString(once) to?: string;
}

export class ReplayEventsBody {
  @ApiProperty({ format: 'date-time', description: 'Made then or later.', example: '2026-11-20T00:00:00Z' })
  @IsString({ message: 'must be an ISO 8601 date-time with a time zone' })
  from: string;
  @ApiProperty({ ...time('Made before then. Default: now.'), example: '2026-11-21T00:00:00Z' })
  @IsOptional()
  @IsString({ message: 'must be an ISO 8601 date-time with a time zone' })
  to?: string;
  @OneOf(EVENT_STATUSES, { optional: true, description: 'Default `failed`; not `skipped`.', example: 'failed' })
  status?: EventStatus;
}

export class ReplayedView {
  @ApiProperty({ type: 'integer', description: 'How many events are sent once more.', example: 42 }) replayed: number;
  @ApiProperty({
    ...nullableText,
    format: 'date-time',
    description: 'Where there were more than one call replays: the `from` to go on with.',
  })
  nextFrom: string | null;
}

export class ReceiverView {
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ example: 'hooks.example.com' }) host: string;
  @ApiProperty({ type: 'integer', description: 'Attempts that failed one after the other.', example: 12 })
  consecutiveFailures: number;
  @ApiProperty({ format: 'date-time' }) failingSince: string;
  @ApiProperty({ type: 'integer', nullable: true, example: 500 }) lastStatusCode: number | null;
  @ApiProperty({ ...nullableText, example: 'timeout' }) lastError: string | null;
  @ApiProperty({ type: 'integer', description: 'How often it was left alone since it last acknowledged.', example: 2 })
  rests: number;
  @ApiProperty({ format: 'date-time', description: 'Until then nothing is sent there.' }) restingUntil: string;
}

export function receiverView(receiver: RestingReceiver): ReceiverView {
  const { clientId, host, consecutiveFailures, lastStatusCode, lastError, rests } = receiver;
  return {
    ...{ clientId, host, consecutiveFailures, lastStatusCode, lastError, rests },
    failingSince: receiver.failingSince.toISOString(),
    restingUntil: receiver.restingUntil.toISOString(),
  };
}

export class WokenView {
  @ApiProperty({ description: 'Whether it rested.', example: true }) woken: boolean;
}

export class ReceiverPage {
  @ApiProperty({ type: [ReceiverView] }) data: ReceiverView[];
  @ApiProperty({ ...nullableText, description: 'Give it back as `cursor`; null on the last page.' })
  nextCursor: string | null;
}
