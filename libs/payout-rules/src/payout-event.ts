/** What callers are told about a step: the payout as it stood right after it, in the words of their status version. */
import { type StatusVersion, statusWord } from '#libs/domain';
import type { TrailEntry } from './payout';

export function payoutEventPayload(
  { after }: TrailEntry,
  version: StatusVersion,
  occurredAt: Date,
): Record<string, unknown> {
  const { id, ref, providerRef, externalId, payeeId, amountCents, currency, provider, claimUrl, failureKind } = after;
  return {
    transactionId: id,
    ref,
    status: statusWord({ status: after.status, custody: after.custody, claimed: after.claimedAt !== null }, version),
    providerRef,
    externalId,
    payeeId,
    amountCents,
    currency,
    provider,
    claimUrl,
    failureKind,
    settledAt: after.settledAt?.toISOString() ?? null,
    occurredAt: occurredAt.toISOString(),
    ...(after.status === 'returned'
      ? { liftingFeeCents: after.liftingFeeCents, restoredCents: amountCents - after.liftingFeeCents }
      : {}),
  };
}
