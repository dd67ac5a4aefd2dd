import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { EVENT_TYPES, type EventType, invalidField, Refusal } from '#libs/domain';
import { Id, instantOf, Limit, OneOf, placeOf } from '#libs/http-kit';
import type { EventFilter } from '../db/event.reads';
import { EVENT_STATUSES, type EventStatus } from '#libs/events';

const once = { message: 'must be sent once' };

export class ListEventsQuery {
  @Limit() limit?: number;
  @ApiProperty({ required: false, description: 'nextCursor of the page before.' })
  @IsOptional()
  @IsString(once)
  cursor?: string;
  @OneOf(EVENT_TYPES, { optional: true }) type?: EventType;
  @ApiProperty({ required: false, enum: EVENT_STATUSES })
  @IsOptional()
  @IsString(once)
  status?: string;
  @Id({ optional: true, description: 'The payout that events are about.' }) transactionId?: string;
  @Id({ optional: true, description: 'The payee that events are about; not those about its payouts.' })
  payeeId?: string;
  @ApiProperty({ required: false, format: 'date-time', description: 'Made then or later.' })
  @IsOptional()
  @IsString(once)
  createdFrom?: string;
  @ApiProperty({ required: false, format: 'date-time', description: 'Made before then.' })
  @IsOptional()
  @IsString(once)
  createdTo?: string;
}

export function filterOf(clientId: string, query: ListEventsQuery): EventFilter {
  if (query.transactionId && query.payeeId)
    throw invalidField('payeeId', 'cannot be combined with transactionId: an event is about one of them');
  return {
    clientId,
    type: query.type,
    status: statusOf(query.status),
    entityId: query.transactionId ?? query.payeeId,
    from: instantOf('createdFrom', query.createdFrom),
    to: instantOf('createdTo', query.createdTo),
  };
}

export const afterOf = ({ cursor }: ListEventsQuery) => placeOf(cursor);

function statusOf(word: string | undefined): EventStatus | undefined {
  const known: readonly string[] = EVENT_STATUSES;
  if (word !== undefined && !known.includes(word))
    throw new Refusal('invalid_status', `status must be one of ${EVENT_STATUSES.join(', ')}.`);
  return word as EventStatus | undefined;
}
