import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '#libs/domain';
import { Check } from '#libs/http-kit';
import { KeyView } from './client.view';

const LONGEST = 2_048;

const isListOfTypes = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= EVENT_TYPES.length &&
  value.every((type) => (EVENT_TYPES as readonly unknown[]).includes(type));

export class WebhookBody {
  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description: 'Where events are sent; null: nowhere. Left out, it stays.',
    example: 'https://studio.example.com/hooks',
  })
  @Check(
    (value) => value === undefined || value === null || (typeof value === 'string' && value.length <= LONGEST),
    `must be a URL of up to ${LONGEST} characters, or null`,
  )
  url?: string | null;

  @ApiProperty({
    type: [String],
    enum: EVENT_TYPES,
    required: false,
    description: 'What is told. Left out, it stays.',
    example: [...EVENT_TYPES],
  })
  @Check((value) => value === undefined || isListOfTypes(value), `must be a list of ${EVENT_TYPES.join(', ')}`)
  eventTypes?: EventType[];
}

export class WebhookView {
  @ApiProperty({ type: String, nullable: true, example: 'https://studio.example.com/hooks' }) url: string | null;
  @ApiProperty({ type: [String], example: [...EVENT_TYPES] }) eventTypes: string[];
}

export class OwnKeyView extends KeyView {
  @ApiProperty({ description: 'The key that signed this request.', example: true }) inUse: boolean;
}

export class OwnKeysView {
  @ApiProperty({ type: [OwnKeyView] }) data: OwnKeyView[];
  @ApiProperty({ type: String, nullable: true, example: null }) nextCursor: string | null;
}
