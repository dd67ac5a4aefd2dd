import { ApiProperty } from '@nestjs/swagger';
import { Flag, Id, Text } from '#libs/http-kit';
import { ListPayoutsQuery, type Payout, TransactionDetailView, TransactionView, transactionView } from '#libs/payouts';

export class SearchPayoutsQuery extends ListPayoutsQuery {
  @Id({ optional: true, description: 'Only payouts of this client.' }) clientId?: string;
}

export class OperatorPayoutView extends TransactionView {
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ type: String, nullable: true, description: '`code`, or `code: detail`.' })
  statusReason: string | null;
  @ApiProperty({ description: "The payout's idempotency code at the rail.", example: 'gw2f0c8f4e' }) railKey: string;
}

export class OperatorPayoutDetailView extends TransactionDetailView {
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ description: "The payout's idempotency code at the rail.", example: 'gw2f0c8f4e' }) railKey: string;
}

/** Operators read words of version 1, whatever the client reads. */
export function operatorPayoutView(payout: Payout): OperatorPayoutView {
  const { clientId, statusReason, railKey } = payout;
  return { ...transactionView(payout, 1), clientId, statusReason, railKey };
}

export class OperatorPayoutPage {
  @ApiProperty({ type: [OperatorPayoutView] }) data: OperatorPayoutView[];
  @ApiProperty({ type: String, nullable: true, description: 'Give it back as `cursor2`; null on the last page.' })
  nextCursor: string | null;
}

export class GiveUpBody {
  @Text(1, 500, { optional: true, nullable: true, description: 'Kept with the payout.', example: 'Paid by hand.' })
  reason?: string | null;
}

export class BlockPayeeBody {
  @Flag({ example: true }) blocked: boolean;
  @Text(1, 500, { optional: true, nullable: true, description: 'Why; for operators only.', example: 'Sanctions list' })
  blockReason?: string | null;
}
