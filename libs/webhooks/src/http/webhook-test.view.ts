/** The answer to a ping. */
import { ApiProperty } from '@nestjs/swagger';
import { FAILURE_KINDS, type FailureKind } from '../failure-kind';
import type { PingResult } from '../use-cases/send-ping';

export class WebhookTestView {
  @ApiProperty({ description: 'True when your receiver answered 2xx.', example: true }) delivered: boolean;
  @ApiProperty({ format: 'uuid', description: 'Also `webhook-id`.' }) eventId: string;
  @ApiProperty({ type: String, nullable: true, description: 'Of your webhook URL.', example: 'hooks.example.com' })
  host: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null where no answer came.', example: 204 })
  statusCode: number | null;
  @ApiProperty({ type: 'integer', example: 87 }) durationMs: number;
  @ApiProperty({ enum: FAILURE_KINDS, nullable: true, description: 'Null when it was delivered.' })
  error: FailureKind | null;
  @ApiProperty({ type: String, nullable: true, description: 'The same for people.' }) message: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The first 1,024 bytes of the answer.', example: 'ok' })
  responseExcerpt: string | null;
}

export function webhookTestView({ eventId, host, outcome, durationMs }: PingResult): WebhookTestView {
  const sent = outcome.kind === 'undeliverable' ? { statusCode: null, excerpt: null } : outcome;
  const failure = outcome.kind === 'delivered' ? { reason: null, error: null } : outcome;
  return {
    delivered: outcome.kind === 'delivered',
    eventId,
    host,
    statusCode: sent.statusCode,
    durationMs,
    error: failure.reason,
    message: failure.error,
    responseExcerpt: sent.excerpt,
  };
}
