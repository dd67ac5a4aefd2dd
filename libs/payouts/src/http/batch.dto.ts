import { ApiProperty } from '@nestjs/swagger';
import { ROW_ERRORS, type RowError } from '#libs/domain';
import { AmountCents, CurrencyCode, EmailAddress, Id, Metadata, Reference, Rows, Text } from '#libs/http-kit';
import { TransactionView } from './payout.view';

const maybe = { optional: true, nullable: true } as const;
const added = { 'x-addition': true };

export class BatchItem {
  @Id({ ...maybe, description: 'Exactly one of payeeId and email.' }) payeeId?: string | null;
  @EmailAddress({ ...maybe, description: 'The oldest payee with this address, or a new one. Needs `payees:write`.' })
  email?: string | null;
  @AmountCents() amountCents: number;
  @CurrencyCode() currency: string;
  @Text(1, 255, { ...maybe, description: "The caller's reference.", example: 'invoice-7' }) ref?: string | null;
  @Reference({ ...maybe, description: 'Default: follows from the batch key and the payee.', example: 'march-42' })
  idempotencyKey?: string | null;
  @Text(0, 1000, { ...maybe, description: 'Why it is paid; in test mode a directive.', ...added }) reason?:
    string | null;
  @Metadata({ ...maybe, ...added }) metadata?: Record<string, string> | null;
}

export class CreateBatchBody {
  @Reference({ description: 'The batch key.', example: 'royalties-2026-03' }) idempotencyKey: string;
  @Rows(BatchItem) items: object[];
}

export class BatchRowView {
  @ApiProperty({ type: 'integer', description: 'The place of the row in the request.', example: 0 }) index: number;
  @ApiProperty({ enum: ['ok', 'error'], example: 'ok' }) status: 'ok' | 'error';
  @ApiProperty({ type: TransactionView, required: false, description: 'On ok; may itself be held.' })
  transaction?: TransactionView;
  @ApiProperty({ required: false, description: 'On ok: the row was paid by an earlier call.', example: false })
  idempotentReplay?: boolean;
  @ApiProperty({ enum: ROW_ERRORS, required: false, description: 'On error.', example: 'payee_not_found' })
  error?: RowError;
  @ApiProperty({ required: false, description: 'On error, in words that may change.' }) message?: string;
}

export class BatchView {
  @ApiProperty({ type: [BatchRowView], description: 'One for each row, in order.' }) results: BatchRowView[];
}
