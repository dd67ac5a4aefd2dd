import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { AmountCents, Flag, Id, OneOf, ReadAs, Text } from '#libs/http-kit';
import type { Payout } from '#libs/payout-rules';
import {
  type ListedPayout,
  ListPayoutsQuery,
  TransactionDetailView,
  TransactionView,
  transactionView,
} from '#libs/payouts';
import { LastAnswerView, LastAttemptView } from './attempt.view';
import { JobView } from './jobs.controller';
import { LegView } from './leg.view';

const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;

export class SearchPayoutsQuery extends ListPayoutsQuery {
  @Id({ optional: true, description: 'Only payouts of this client.' }) clientId?: string;
  @Text(1, 255, { optional: true, description: "The rail's own payment id." }) providerRef?: string;
  @Text(1, 255, { optional: true, description: "The payout's idempotency code at the rail." }) railKey?: string;
  @Text(1, 255, { optional: true, description: 'The key that its caller gave it.' }) idempotencyKey?: string;
  @ReadAs(numberOf)
  @AmountCents({
    optional: true,
    description:
      'Only of this amount, in minor units of whichever currency; with `clientId`, `payeeId` or `createdFrom`.',
  })
  amountCents?: number;
  @Text(1, 64, {
    optional: true,
    description:
      'Only with this code in `statusReason`; unless it is one for which payouts are held, with `clientId`, `payeeId` or `createdFrom`.',
    example: 'not_payable',
  })
  reasonCode?: string;
  @OneOf(['newest', 'oldest'], { optional: true, description: 'Which come first; `newest` unless set.' })
  order?: 'newest' | 'oldest';
}

export class OperatorPayoutView extends TransactionView {
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ type: String, nullable: true, description: '`code`, or `code: detail`.' })
  statusReason: string | null;
  @ApiProperty({ description: "The payout's idempotency code at the rail.", example: 'gw2f0c8f4e' }) railKey: string;
}

export class DestinationView {
  @ApiProperty({ type: String, nullable: true, description: 'The account at the rail.', example: 'acct_1Nv0FG' })
  accountId: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'ada@example.com' }) email: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Ada Lovelace' }) name: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'GB' }) country: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The name of the client then.', example: 'Acme Ltd' })
  payerName: string | null;
}

export class RailFeeView {
  @ApiProperty({ type: 'integer', example: 25 }) amountCents: number;
  @ApiProperty({ example: 'USD' }) currency: string;
}

@ApiExtraModels(DestinationView, RailFeeView, LastAttemptView, LastAnswerView)
export class OperatorPayoutDetailView extends TransactionDetailView {
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ description: "The payout's idempotency code at the rail.", example: 'gw2f0c8f4e' }) railKey: string;
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(DestinationView) }, { type: 'null' }],
    description: 'What it pays to, fixed when it was authorized; null before.',
    example: {
      accountId: 'acct_1Nv0FG',
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      country: 'GB',
      payerName: 'Acme Ltd',
    },
  })
  destination: DestinationView | null;
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(RailFeeView) }, { type: 'null' }],
    description: 'What the rail says it took for this payout, beside its amount; null if it said nothing.',
    example: { amountCents: 25, currency: 'USD' },
  })
  railFee: RailFeeView | null;
  @ApiProperty({ type: 'integer', description: 'How often it was sent to the rail.', example: 1 }) attempts: number;
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(LastAttemptView) }, { type: 'null' }],
    description: 'Its last send, whatever came of it; null: it was never sent.',
    example: { number: 1, leg: null, code: 'gw2f0c8f4e', open: true, sentAt: '2026-03-14T09:26:53.589Z' },
  })
  lastAttempt: LastAttemptView | null;
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(LastAnswerView) }, { type: 'null' }],
    description: 'What its rail said of it last that counts, maybe of a send before; null: nothing yet.',
    example: {
      answer: 'refused',
      statusReason: 'rail_refused: account_closed',
      failureKind: 'permanent',
      heardAt: '2026-03-14T09:26:54.102Z',
    },
  })
  lastAnswer: LastAnswerView | null;
  @ApiProperty({
    type: [JobView],
    description:
      'The work that waits about it: when it is its turn, and, while its rail could not tell, what that said last.',
  })
  jobs: JobView[];
  @ApiProperty({ type: [LegView], description: 'The calls after the first one, oldest first; none on most rails.' })
  legs: LegView[];
}

/** An account that a payout would go to is no destination yet. */
export function destinationView({ authorizedOn, accountId, destination }: Payout): DestinationView | null {
  if (authorizedOn === null || destination === null) return null;
  const { email, name, country, payerName = null } = destination;
  return { accountId, email, name, country, payerName };
}

export function railFeeView({ railFeeCents, railFeeCurrency }: Payout): RailFeeView | null {
  return railFeeCents === null || railFeeCurrency === null
    ? null
    : { amountCents: railFeeCents, currency: railFeeCurrency };
}

/** Operators read words of version 1, whatever the client reads. */
export function operatorPayoutView(payout: ListedPayout): OperatorPayoutView {
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
  @Flag({
    optional: true,
    description:
      'An admin found out that its rail never saw it: its rows leave again although the rail cannot be asked.',
    example: false,
  })
  neverSeen?: boolean;
}

export class BlockPayeeBody {
  @Flag({ example: true }) blocked: boolean;
  @Text(1, 500, { optional: true, nullable: true, description: 'Why; for operators only.', example: 'Sanctions list' })
  blockReason?: string | null;
}
