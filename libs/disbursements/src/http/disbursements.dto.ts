import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { DISBURSEMENT_STATUSES } from '#libs/domain';
import { AmountCents, CurrencyCode, EmailAddress, Flag, Id, Ids, Limit, Reference, Rows, Text } from '#libs/http-kit';

const maybe = { optional: true, nullable: true } as const;
const added = { 'x-addition': true };
const once = { message: 'must be sent once' };

export class PushItem {
  @Id({ ...maybe, description: 'Exactly one of payeeId and email.' }) payeeId?: string | null;
  @EmailAddress({ ...maybe, description: 'The oldest payee with this address, or a new one.' }) email?: string | null;
  @AmountCents() amountCents: number;
  @CurrencyCode() currency: string;
  @Reference({
    description: "The caller's ledger id; one row per reference, for ever. `return:` begins those of the service.",
    example: 'royalty-2026-03-42',
  })
  externalRef: string;
  @Text(1, 200, { ...maybe, description: 'Becomes the legal name of a payee that has none.', example: 'Ada Lovelace' })
  name?: string | null;
  @Text(0, 1000, {
    ...maybe,
    description:
      'What it is owed for. It becomes that of the payout where all of its rows share it; in test mode a directive.',
    example: 'March royalties',
  })
  reason?: string | null;
}

export class PushDisbursementsBody {
  @Rows(PushItem) items: object[];
  @Flag({ optional: true, description: 'Tell each payee with an address what is new. Default false.', example: false })
  sendEmail?: boolean;
}

export class ListDisbursementsQuery {
  @Limit() limit?: number;
  @ApiProperty({ required: false, description: 'nextCursor of the page before.' })
  @IsOptional()
  @IsString(once)
  cursor?: string;
  @ApiProperty({ required: false, enum: DISBURSEMENT_STATUSES, ...added })
  @IsOptional()
  @IsString(once)
  status?: string;
  @Id({ optional: true, ...added }) payeeId?: string;
  @Reference({ optional: true, description: 'Exact.', ...added }) externalRef?: string;
  @Id({ optional: true, description: 'The payout that rows are on now, or were on last.', ...added })
  transactionId?: string;
}

export class RecoveryLinkBody {
  @Id({ description: 'The payout that moved the money.' }) replacementTransactionId: string;
  @Ids(500, { description: 'The rows it paid.' }) disbursementIds: string[];
}

export class BalanceQuery {
  @CurrencyCode({
    optional: true,
    description: "Default: the currency of the payee's newest movement, or the client's default.",
    ...added,
  })
  currency?: string;
}
