/** One page of payouts, newest first unless it is asked for otherwise: a row has what a list shows, and no more is read. */
import { type ListPlace, OUR_PAGE, type PayoutStatus } from '#libs/domain';
import { boundedPage, isAfterPlace } from '#libs/db';
import type { Payout } from '#libs/payout-rules';

export interface PayoutFilter {
  clientId?: string;
  status?: PayoutStatus;
  payeeId?: string;
  ref?: string;
  provider?: string;
  /** The rail's name for it, our name for it at the rail, and the caller's: each of them finds few. */
  providerRef?: string;
  railKey?: string;
  idempotencyKey?: string;
  /** Their payee has to go on with them. */
  waitsForPayee?: true;
  createdFrom?: Date;
  createdTo?: Date;
  /** Strictly older than this instant: the published cursor. */
  before?: Date;
  /** Strictly after this place in the list: the cursor that skips nothing. */
  after?: ListPlace | null;
  amountCents?: number;
  oldestFirst?: boolean;
  reasonCode?: string;
}

/** Each field that is shown, and the column it is read from. */
const SHOWN = {
  id: 'id',
  clientId: 'client_id',
  payeeId: 'payee_id',
  source: 'source',
  idempotencyKey: 'idempotency_key',
  railKey: 'rail_key',
  amountCents: 'amount_cents',
  currency: 'currency',
  reason: 'reason',
  ref: 'ref',
  metadata: 'metadata',
  status: 'status',
  provider: 'provider',
  providerRef: 'provider_ref',
  custody: 'custody',
  failureKind: 'failure_kind',
  statusReason: 'status_reason',
  claimUrl: 'claim_url',
  claimedAt: 'claimed_at',
  submittedAt: 'submitted_at',
  settledAt: 'settled_at',
  liftingFeeCents: 'lifting_fee_cents',
  consolidates: 'consolidates',
  supersededBy: 'superseded_by',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Partial<Record<keyof Payout, string>>;

export type ListedPayout = Pick<Payout, keyof typeof SHOWN>;

/** Only the conditions that are asked for stand in the statement, so that each combination has a plan of its own. */
export function pageQuery(filter: PayoutFilter, limit: number): { sql: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (item: unknown): string => `$${values.push(item)}`;
  const conditions = conditionsOf(filter, value);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const order = filter.oldestFirst ? 'ASC' : 'DESC';
  const page = `
    SELECT ${Object.values(SHOWN).join(', ')}, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us
    FROM payouts ${where}
    ORDER BY payouts.created_at ${order}, payouts.id ${order} LIMIT ${value(limit + 1)}`;
  return { sql: boundedPage(page, BYTES, order), values };
}

const EXACT = [
  'status',
  'payeeId',
  'ref',
  'provider',
  'providerRef',
  'railKey',
  'idempotencyKey',
  'amountCents',
] as const;

function conditionsOf(filter: PayoutFilter, value: (item: unknown) => string): string[] {
  const { after, oldestFirst, createdFrom, createdTo } = filter;
  const clientId = filter.clientId && `${value(filter.clientId)}::uuid`;
  const conditions = [
    clientId && `payouts.client_id = ${clientId}`,
    ...EXACT.map((name) => filter[name] && `payouts.${SHOWN[name]} = ${value(filter[name])}`),
    filter.reasonCode && `split_part(payouts.status_reason, ':', 1) = ${value(filter.reasonCode)}`,
    // Client by client, as the index on keys is.
    filter.idempotencyKey && 'payouts.client_id = ANY(ARRAY(SELECT id FROM clients))',
    filter.waitsForPayee &&
      `payouts.status = 'submitted' AND payouts.claim_url IS NOT NULL AND payouts.claim_url <> ${value(OUR_PAGE.soon)}`,
    createdFrom && !isBeyond(filter, createdFrom, true) && `payouts.created_at >= ${value(createdFrom)}`,
    createdTo && !isBeyond(filter, createdTo, false) && `payouts.created_at < ${value(createdTo)}`,
    filter.before && `payouts.created_at < ${value(filter.before)}`,
    after && isAfterPlace({ table: 'payouts', clientId, oldestFirst }, value(after.createdUs), value(after.id)),
  ];
  return conditions.filter((condition) => typeof condition === 'string');
}

/** All but what the caller wrote as it likes is short. */
const BYTES = `1000 + octet_length(page.metadata::text) + octet_length(to_json(coalesce(page.reason, ''))::text)`;

/** A place beyond a bound already says all that the bound does; with both, the index would be read from the bound on. */
function isBeyond({ after, oldestFirst = false }: PayoutFilter, bound: Date, forOldestFirst: boolean): boolean {
  if (!after || oldestFirst !== forOldestFirst) return false;
  const [place, at] = [BigInt(after.createdUs), BigInt(bound.getTime()) * 1000n];
  return oldestFirst ? place >= at : place < at;
}
