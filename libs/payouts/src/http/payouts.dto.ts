import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { FAILURE_KINDS, type FailureKind, PAYOUT_STATUSES } from '#libs/domain';
import { AmountCents, CurrencyCode, Id, Limit, Metadata, OneOf, Reference, Text, WholeNumber } from '#libs/http-kit';

const once = { message: 'must be sent once' };

export class CreatePayoutBody {
  @Id() payeeId: string;
  @AmountCents() amountCents: number;
  @CurrencyCode() currency: string;
  @Reference({ description: 'One payout per key, for ever.', example: 'invoice-2026-0042' }) idempotencyKey: string;
  @Text(1, 255, { optional: true, nullable: true, description: "The caller's reference." }) ref?: string | null;
  @Text(0, 1000, { optional: true, nullable: true, description: 'Why it is paid; in test mode a directive.' }) reason?:
    string | null;
  @Metadata({ optional: true, nullable: true }) metadata?: Record<string, string> | null;
}

export class ListPayoutsQuery {
  @Limit() limit?: number;
  @ApiProperty({ required: false, format: 'date-time' }) @IsOptional() @IsString(once) cursor?: string;
  @ApiProperty({ required: false, description: 'nextCursor2 of the page before.' })
  @IsOptional()
  @IsString(once)
  cursor2?: string;
  @ApiProperty({ required: false, enum: PAYOUT_STATUSES }) @IsOptional() @IsString(once) status?: string;
  @Id({ optional: true }) payeeId?: string;
  @Text(1, 255, { optional: true }) ref?: string;
  @Text(1, 64, { optional: true, description: 'A rail.' }) provider?: string;
  @ApiProperty({ required: false, format: 'date-time' }) @IsOptional() @IsString(once) createdFrom?: string;
  @ApiProperty({ required: false, format: 'date-time' }) @IsOptional() @IsString(once) createdTo?: string;
}

export class FailPayoutBody {
  @OneOf(FAILURE_KINDS) kind: FailureKind;
}

export class ReturnPayoutBody {
  @WholeNumber(0, 100_000_000_000, { optional: true, description: 'Default 0.' }) liftingFeeCents?: number;
}

/** For requests whose body says nothing. */
export class NoBody {}
