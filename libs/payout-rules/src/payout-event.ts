/** The event that callers get about a step: the payout as it stood right after it, in the words of their status version. */
import { type PayoutStatus, type StatusVersion, statusWord } from '#libs/domain';
import type { TrailEntry } from './payout';

/** A payout that is held keeps its place for a link, and nobody can do anything there. */
const HAS_LINK: ReadonlySet<PayoutStatus> = new Set(['authorized', 'submitted']);

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
    claimUrl: HAS_LINK.has(after.status) ? claimUrl : null,
    failureKind,
    settledAt: after.settledAt?.toISOString() ?? null,
    occurredAt: occurredAt.toISOString(),
    ...(after.status === 'returned'
      ? { liftingFeeCents: after.liftingFeeCents, restoredCents: amountCents - after.liftingFeeCents }
      : {}),
  };
}
