/** Payouts as callers read them, in the words of their status version. */
import { ApiProperty } from '@nestjs/swagger';
import {
  FAILURE_KINDS,
  type FailureKind,
  PAYOUT_STATUSES,
  type StatusVersion,
  statusWord,
  type StatusWord,
} from '#libs/domain';
import { type Actor, type Payout, PAYOUT_SOURCES, type PayoutSource } from '#libs/payout-rules';
import type { ListedPayout } from '../db/payout-page';
import { FIRST_LINES, NEWEST_LINES, type Trail, type TrailLine, type TrailRow } from '../db/trail';

const nullableText = { type: String, nullable: true } as const;
const STATUS_WORDS = [...PAYOUT_STATUSES, 'sent', 'awaiting_withdraw'];
const added = { 'x-addition': true };

export class TransactionView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ enum: PAYOUT_SOURCES, description: 'What it came from.', example: 'payout' }) source: PayoutSource;
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty({ description: 'One payout per key, for ever.', example: 'invoice-2026-0042' }) idempotencyKey: string;
  @ApiProperty({ type: 'integer', description: 'Minor units of the currency.', example: 2500 }) amountCents: number;
  @ApiProperty({ description: 'ISO 4217.', example: 'USD' }) currency: string;
  @ApiProperty({ enum: STATUS_WORDS, description: "Words of the client's status version.", example: 'paid' })
  status: StatusWord;
  @ApiProperty({ ...nullableText, description: 'The rail; null before routing.', example: 'mock' })
  provider: string | null;
  @ApiProperty({ ...nullableText, description: "The rail's own payment id.", example: 'mock_2f0c8f4e' })
  providerRef: string | null;
  @ApiProperty({ ...nullableText, description: 'As the caller gave it.', example: 'March royalties' })
  reason: string | null;
  @ApiProperty({ ...nullableText, description: "The caller's reference.", example: 'invoice-7' }) ref: string | null;
  @ApiProperty({ enum: FAILURE_KINDS, nullable: true, description: 'Set while the payout is held or failed.' })
  failureKind: FailureKind | null;
  @ApiProperty({
    description: 'True only for a failed payout with a transient cause, whose owed rows, if any, did not go elsewhere.',
    example: false,
  })
  retryable: boolean;
  @ApiProperty({ type: 'integer', description: 'The bounce fee of a returned payout.', example: 0 })
  liftingFeeCents: number;
  @ApiProperty({ ...nullableText, description: 'Always null here; delivered webhooks carry it.' }) claimUrl: null;
  @ApiProperty({
    ...nullableText,
    format: 'date-time',
    description: 'When the money arrived; null where the rail only says that it left.',
    example: '2026-03-14T09:26:53.589Z',
    ...added,
  })
  settledAt: string | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { team: 'creators' },
    ...added,
  })
  metadata: Record<string, string>;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ format: 'date-time' }) updatedAt: string;
}

export function transactionView(payout: ListedPayout, version: StatusVersion): TransactionView {
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
    retryable: payout.status === 'failed' && failureKind === 'transient' && payout.supersededBy === null,
    liftingFeeCents: payout.liftingFeeCents,
    claimUrl: null,
    settledAt: payout.settledAt?.toISOString() ?? null,
    metadata: payout.metadata,
    createdAt: payout.createdAt.toISOString(),
    updatedAt: payout.updatedAt.toISOString(),
  };
}

export class ListedTransactionView extends TransactionView {
  @ApiProperty({ ...nullableText, description: 'Why it is held or failed: `code`, or `code: detail`.', ...added })
  statusReason: string | null;
}

export function listedTransactionView(payout: ListedPayout, version: StatusVersion): ListedTransactionView {
  return { ...transactionView(payout, version), statusReason: payout.statusReason };
}

export class TransactionPage {
  @ApiProperty({ type: [ListedTransactionView] }) data: ListedTransactionView[];
  @ApiProperty({
    ...nullableText,
    format: 'date-time',
    description: 'The createdAt of the last row; give it back as `cursor`. Null on the last page.',
  })
  nextCursor: string | null;
  @ApiProperty({ ...nullableText, description: 'Skips no row; give it back as `cursor2`.', ...added }) nextCursor2:
    string | null;
}

export class TrailView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'The step that was taken.', example: 'submit' }) type: string;
  @ApiProperty({
    enum: STATUS_WORDS,
    nullable: true,
    description: 'Null where the trail begins.',
    example: 'authorized',
  })
  fromStatus: StatusWord | null;
  @ApiProperty({ enum: STATUS_WORDS, example: 'submitted' }) toStatus: StatusWord;
  @ApiProperty({ ...nullableText, description: 'Why it was held or failed.' }) statusReason: string | null;
  @ApiProperty({ enum: FAILURE_KINDS, nullable: true }) failureKind: FailureKind | null;
  @ApiProperty({
    enum: ['client', 'payee', 'operator', 'system', 'rail'],
    description: 'Who brought the step about.',
    example: 'client',
  })
  actor: Actor;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export class TransactionDetailView extends TransactionView {
  @ApiProperty({ ...nullableText, description: '`code`, or `code: detail`; see the reasons in the docs.' })
  statusReason: string | null;
  @ApiProperty({
    type: [TrailView],
    description: `The event trail, oldest first: the first ${FIRST_LINES} and the newest ${NEWEST_LINES} steps.`,
  })
  events: TrailView[];
  @ApiProperty({
    type: 'integer',
    description: 'How many steps between those are left out of `events`.',
    example: 0,
    ...added,
  })
  eventsLeftOut: number;
}

export function transactionDetailView(
  payout: Payout,
  { lines, leftOut }: Trail,
  version: StatusVersion,
): TransactionDetailView {
  return {
    ...transactionView(payout, version),
    statusReason: payout.statusReason,
    events: lines.map((line) => trailView(line, version)),
    eventsLeftOut: leftOut,
  };
}

/** A line starts from the word the line before it ended with. */
function trailView(row: TrailLine, version: StatusVersion): TrailView {
  const { id, type, statusReason, failureKind, actor, previous } = row;
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
