import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { PAYOUT_STATUSES } from '#libs/domain';
import { AmountCents, CurrencyCode, Id, Limit, Metadata, Reference, Text } from '#libs/http-kit';

const once = { message: 'must be sent once' };
const added = { 'x-addition': true };

export class CreatePayoutBody {
  @Id({ description: 'Where the money goes follows from the payee.' }) payeeId: string;
  @AmountCents() amountCents: number;
  @CurrencyCode() currency: string;
  @Reference({ description: 'One payout per key, for ever.', example: 'invoice-2026-0042' }) idempotencyKey: string;
  @Text(1, 255, { optional: true, nullable: true, description: "The caller's reference.", example: 'invoice-7' })
  ref?: string | null;
  @Text(0, 1000, {
    optional: true,
    nullable: true,
    description: 'Why it is paid; in test mode a directive.',
    example: 'March royalties',
  })
  reason?: string | null;
  @Metadata({ optional: true, nullable: true, ...added }) metadata?: Record<string, string> | null;
}

export class ListPayoutsQuery {
  @Limit() limit?: number;
  @ApiProperty({
    required: false,
    format: 'date-time',
    description: 'nextCursor of the page before. Rows of the very same instant may be skipped.',
  })
  @IsOptional()
  @IsString(once)
  cursor?: string;
  @ApiProperty({ required: false, description: 'nextCursor2 of the page before. Skips nothing.', ...added })
  @IsOptional()
  @IsString(once)
  cursor2?: string;
  @ApiProperty({
    required: false,
    enum: PAYOUT_STATUSES,
    description: "A word of version 1, whatever the client's version.",
  })
  @IsOptional()
  @IsString(once)
  status?: string;
  @Id({ optional: true, ...added }) payeeId?: string;
  @Text(1, 255, { optional: true, description: 'Exact.', ...added }) ref?: string;
  @Text(1, 64, { optional: true, description: 'A rail.', ...added }) provider?: string;
  @ApiProperty({ required: false, format: 'date-time', description: 'Created then or later.', ...added })
  @IsOptional()
  @IsString(once)
  createdFrom?: string;
  @ApiProperty({ required: false, format: 'date-time', description: 'Created before then.', ...added })
  @IsOptional()
  @IsString(once)
  createdTo?: string;
}
