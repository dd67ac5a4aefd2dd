/** How a payout maps to its row: which columns there are, which of them may change, and the record that is written. */
import type { Payout } from '../payout';

const FIXED = [
  'id',
  'client_id',
  'payee_id',
  'source',
  'idempotency_key',
  'fingerprint',
  'rail_key',
  'test_mode',
  'amount_cents',
  'currency',
  'reason',
  'ref',
  'metadata',
] as const;

export const MUTABLE = [
  'status',
  'sequence',
  'provider',
  'provider_ref',
  'custody',
  'account_id',
  'failure_kind',
  'status_reason',
  'claim_url',
  'claimed_at',
  'settled_at',
  'lifting_fee_cents',
  'to_send',
  'submitted_at',
  'authorized_on',
  'prepaid',
  'short_of',
  'consolidates',
  'superseded_by',
] as const;

export const COLUMNS = [...FIXED, ...MUTABLE];

export function asRecord(payout: Payout): Record<string, unknown> {
  return {
    id: payout.id,
    client_id: payout.clientId,
    payee_id: payout.payeeId,
    source: payout.source,
    idempotency_key: payout.idempotencyKey,
    fingerprint: `\\x${payout.fingerprint.toString('hex')}`,
    rail_key: payout.railKey,
    test_mode: payout.testMode,
    amount_cents: payout.amountCents,
    currency: payout.currency,
    reason: payout.reason,
    ref: payout.ref,
    metadata: payout.metadata,
    status: payout.status,
    sequence: payout.sequence,
    provider: payout.provider,
    provider_ref: payout.providerRef,
    custody: payout.custody,
    account_id: payout.accountId,
    failure_kind: payout.failureKind,
    status_reason: payout.statusReason,
    claim_url: payout.claimUrl,
    claimed_at: payout.claimedAt,
    settled_at: payout.settledAt,
    lifting_fee_cents: payout.liftingFeeCents,
    to_send: payout.toSend,
    submitted_at: payout.submittedAt,
    authorized_on: payout.authorizedOn,
    prepaid: payout.prepaid,
    short_of: payout.shortOf,
    consolidates: payout.consolidates,
    superseded_by: payout.supersededBy,
  };
}
