/** What callers read about payouts, in the words of their status version. */
import { ApiProperty } from '@nestjs/swagger';
import {
  FAILURE_KINDS,
  type FailureKind,
  PAYOUT_STATUSES,
  type StatusVersion,
  statusWord,
  type StatusWord,
} from '#libs/domain';
import type { TrailRow } from '../db/payout.reads';
import { type Actor, type Payout, PAYOUT_SOURCES, type PayoutSource } from '../payout';

const nullableText = { type: String, nullable: true } as const;
const STATUS_WORDS = [...PAYOUT_STATUSES, 'sent', 'awaiting_withdraw'];

export class TransactionView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ enum: PAYOUT_SOURCES }) source: PayoutSource;
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty() idempotencyKey: string;
  @ApiProperty({ type: 'integer', example: 2500 }) amountCents: number;
  @ApiProperty({ example: 'USD' }) currency: string;
  @ApiProperty({ enum: STATUS_WORDS, description: "Words of the client's status version." }) status: StatusWord;
  @ApiProperty({ ...nullableText, description: 'The rail; null before routing.' }) provider: string | null;
  @ApiProperty({ ...nullableText, description: "The rail's own payment id." }) providerRef: string | null;
  @ApiProperty(nullableText) reason: string | null;
  @ApiProperty(nullableText) ref: string | null;
  @ApiProperty({ enum: FAILURE_KINDS, nullable: true }) failureKind: FailureKind | null;
  @ApiProperty({ description: 'True only for a failed payout with a transient cause.' }) retryable: boolean;
  @ApiProperty({ type: 'integer', description: 'The bounce fee of a returned payout.' }) liftingFeeCents: number;
  @ApiProperty({ ...nullableText, description: 'Always null here; events carry it.' }) claimUrl: null;
  @ApiProperty({ ...nullableText, format: 'date-time' }) settledAt: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } }) metadata: Record<string, string>;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ format: 'date-time' }) updatedAt: string;
}

export function transactionView(payout: Payout, version: StatusVersion): TransactionView {
  const {
    id,
    source,
    payeeId,
    idempotencyKey,
    amountCents,
    currency,
    provider,
    providerRef,
    reason,
    ref,
    failureKind,
  } = payout;
  return {
    id,
    source,
    payeeId,
    idempotencyKey,
    amountCents,
    currency,
    status: statusWord({ status: payout.status, custody: payout.custody, claimed: payout.claimedAt !== null }, version),
    provider,
    providerRef,
    reason,
    ref,
    failureKind,
    retryable: payout.status === 'failed' && failureKind === 'transient',
    liftingFeeCents: payout.liftingFeeCents,
    claimUrl: null,
    settledAt: payout.settledAt?.toISOString() ?? null,
    metadata: payout.metadata,
    createdAt: payout.createdAt.toISOString(),
    updatedAt: payout.updatedAt.toISOString(),
  };
}

export class TransactionPage {
  @ApiProperty({ type: [TransactionView] }) data: TransactionView[];
  @ApiProperty({ ...nullableText, format: 'date-time', description: 'The createdAt of the last row.' }) nextCursor:
    string | null;
  @ApiProperty({ ...nullableText, description: 'Skips no row; give it back as cursor2.' }) nextCursor2: string | null;
}

export class TrailView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'The step that was taken.', example: 'submit' }) type: string;
  @ApiProperty({ enum: STATUS_WORDS, nullable: true }) fromStatus: StatusWord | null;
  @ApiProperty({ enum: STATUS_WORDS }) toStatus: StatusWord;
  @ApiProperty(nullableText) statusReason: string | null;
  @ApiProperty({ enum: FAILURE_KINDS, nullable: true }) failureKind: FailureKind | null;
  @ApiProperty({ enum: ['client', 'payee', 'operator', 'system', 'rail'] }) actor: Actor;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export class TransactionDetailView extends TransactionView {
  @ApiProperty({ ...nullableText, description: '`code`, or `code: detail`; see the reasons in the docs.' })
  statusReason: string | null;
  @ApiProperty({ type: [TrailView], description: 'The event trail, oldest first.' }) events: TrailView[];
}

export function transactionDetailView(
  payout: Payout,
  trail: TrailRow[],
  version: StatusVersion,
): TransactionDetailView {
  return {
    ...transactionView(payout, version),
    statusReason: payout.statusReason,
    events: trail.map((row, index) => trailView(row, trail[index - 1], version)),
  };
}

/** A line starts from the word the line before it ended with. */
function trailView(row: TrailRow, previous: TrailRow | undefined, version: StatusVersion): TrailView {
  const { id, type, statusReason, failureKind, actor } = row;
  return {
    id,
    type,
    fromStatus: previous ? wordOf(previous, version) : null,
    toStatus: wordOf(row, version),
    statusReason,
    failureKind,
    actor,
    createdAt: row.createdAt.toISOString(),
  };
}

function wordOf({ toStatus, custody, claimed }: TrailRow, version: StatusVersion): StatusWord {
  return statusWord({ status: toStatus, custody, claimed }, version);
}
