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
    status: wordOf(after, version),
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

/** For both versions; the second only where its word for the status differs. */
export function payoutEventPayloads(
  entry: TrailEntry,
  occurredAt: Date,
): { payload: Record<string, unknown>; inSecondVersion?: Record<string, unknown> } {
  const payload = payoutEventPayload(entry, 1, occurredAt);
  const status = wordOf(entry.after, 2);
  return status === payload['status'] ? { payload } : { payload, inSecondVersion: { ...payload, status } };
}

const wordOf = ({ status, custody, claimedAt }: TrailEntry['after'], version: StatusVersion): string =>
  statusWord({ status, custody, claimed: claimedAt !== null }, version);
