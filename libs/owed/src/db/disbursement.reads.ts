/** How owed rows are read: one, by reference, as a list, and what of a payee can be released. */
import { Injectable } from '@nestjs/common';
import type { DisbursementStatus, ListPlace } from '#libs/domain';
import { Db, isAfterPlace } from '#libs/db';
import type { Disbursement } from '../disbursement';

export interface DisbursementFilter {
  clientId: string;
  status?: DisbursementStatus;
  payeeId?: string;
  externalRef?: string;
  transactionId?: string;
}

export interface Owed {
  currency: string;
  cents: number;
}

/** A payout that rows were on, or came back from. */
export interface Earlier {
  id: string;
  /** Some of the rows were sent on no other since. */
  isLast: boolean;
}

export interface EarlierOfOwed {
  earlier: Earlier[];
  /** Cancelled before they were sent, rows of theirs on others since, and in no difference: there is nothing to ask, however many they are. */
  takenBack: string[];
}

export interface WaitingPayee {
  payeeId: string;
  clientId: string;
}

/** Payees that one statement answers; whoever works through them goes on after the last one. */
const PAGE = 1_000;

@Injectable()
export class DisbursementReads {
  constructor(private readonly db: Db) {}

  find(clientId: string, id: string): Promise<Disbursement | null> {
    return this.db.row<Disbursement>(`${SELECT} WHERE row.client_id = $1 AND row.id = $2`, [clientId, id]);
  }

  async byRefs(clientId: string, refs: string[]): Promise<Map<string, Disbursement>> {
    if (refs.length === 0) return new Map();
    const rows = await this.db.rows<Disbursement>(
      `${SELECT} WHERE row.client_id = $1 AND row.external_ref = ANY($2::text[])`,
      [clientId, refs],
    );
    return new Map(rows.map((row) => [row.externalRef, row]));
  }

  list(filter: DisbursementFilter, after: ListPlace | null, limit: number): Promise<(Disbursement & ListPlace)[]> {
    const { sql, values } = listQuery(filter, after, limit);
    return this.db.rows<Disbursement & ListPlace>(sql, values);
  }

  /** The payouts that owed rows of the payee were ever on. */
  async earlier(clientId: string, payeeId: string): Promise<EarlierOfOwed> {
    return apart(await this.db.rows<Was>(OF_OWED, [clientId, payeeId]));
  }

  /** Those that the rows of this payout were on before, but for those that were taken back. */
  async before(payoutId: string): Promise<Earlier[]> {
    return apart(await this.db.rows<Was>(BEFORE, [payoutId])).earlier;
  }

  /**
   * By currency, as it is now: more may be pushed at any time, and payouts that fail give rows back. Rows of earlier
   * payouts count if each is one of `free`.
   */
  owed(payeeId: string, free: string[]): Promise<Owed[]> {
    return this.db.rows<Owed>(OWED, [payeeId, free]);
  }

  /**
   * Payees of a client with money that was credited and never released, on rails that release it at once, in the order of
   * ids and from after that one, of those that were made by then. A prepaid client's only if its wallet covers a row of theirs.
   */
  waitingOfClient(clientId: string, rails: string[], madeBy: string, after: string | null): Promise<WaitingPayee[]> {
    return this.db.rows<WaitingPayee>(WAITING_OF_CLIENT, [clientId, rails, after, PAGE, madeBy]);
  }

  /**
   * Payees who are owed anything, in the order of ids and from after that one, and which of them nobody is going to release
   * although their rail takes it by itself.
   */
  owing(rails: string[], after: string | null): Promise<(WaitingPayee & { forgotten: boolean })[]> {
    return this.db.rows<WaitingPayee & { forgotten: boolean }>(OWING, [rails, after, PAGE]);
  }
}

export const SELECT = 'SELECT row.*, payees.email FROM disbursements AS row JOIN payees ON payees.id = row.payee_id';

/** The payouts of a row: what came back was on none itself, and knows those of the rows it stands for. */
export const EVER_ON = 'array_remove(earlier || transaction_id, NULL)';

type Was = Earlier & { isTakenBack: boolean };

const apart = (all: Was[]): EarlierOfOwed => ({
  earlier: all.filter(({ isTakenBack }) => !isTakenBack).map(({ id, isLast }) => ({ id, isLast })),
  takenBack: all.filter(({ isTakenBack }) => isTakenBack).map(({ id }) => id),
});

/** Cancelled, it is never sent any more. A difference may say that it moved money all the same: that is looked at. */
const IS_TAKEN_BACK = `(
  SELECT true FROM payouts WHERE payouts.id = was.id AND submitted_at IS NULL AND superseded_by IS NOT NULL
    AND status = 'failed' AND split_part(status_reason, ':', 1) = 'cancelled_by_client'
    AND (SELECT true FROM drift WHERE drift.payout_id = payouts.id LIMIT 1) IS NULL LIMIT 1) IS TRUE`;

/**
 * Rows with the same history count as one. A row that stands for returned money was sent on no payout yet, and the payout that it came
 * back from is over.
 */
const earlierOf = (history: string, where: string): string => `
  WITH histories AS MATERIALIZED (
    SELECT DISTINCT ${history} AS ids, transaction_id IS NULL AS came_back FROM disbursements WHERE ${where}
  )
  SELECT was.id, bool_or(was.id = last.id) IS TRUE AS is_last, ${IS_TAKEN_BACK} AS is_taken_back
  FROM histories CROSS JOIN LATERAL unnest(ids) AS was (id)
  LEFT JOIN LATERAL (
    SELECT payouts.id FROM unnest(ids) WITH ORDINALITY AS one (id, place) JOIN payouts ON payouts.id = one.id
    WHERE payouts.submitted_at IS NOT NULL ORDER BY place DESC LIMIT 1
  ) AS last ON NOT came_back
  GROUP BY was.id`;

const OF_OWED = earlierOf(
  EVER_ON,
  `client_id = $1 AND payee_id = $2 AND status = 'owed' AND (transaction_id IS NOT NULL OR earlier <> '{}')`,
);

const BEFORE = earlierOf('earlier', `transaction_id = $1 AND earlier <> '{}'`);

const OWED = `
  SELECT currency, sum(amount_cents)::bigint AS cents FROM disbursements
  WHERE payee_id = $1 AND status = 'owed' AND ${EVER_ON} <@ $2::uuid[]
  GROUP BY currency ORDER BY currency`;

/** Written for `row`: what was credited and never released, and is covered if that is needed. */
const NEVER_RELEASED = `
  row.status = 'owed' AND row.transaction_id IS NULL AND row.external_ref NOT LIKE 'return:%'
  AND (NOT clients.prepaid OR EXISTS (
    SELECT FROM wallets WHERE wallets.client_id = row.client_id AND wallets.currency = row.currency
      AND deposited_cents - in_flight_cents - paid_cents - fee_cents >= row.amount_cents))`;

const WAITING_OF_CLIENT = `
  SELECT DISTINCT row.payee_id, row.client_id FROM disbursements AS row
  JOIN payees ON payees.id = row.payee_id JOIN clients ON clients.id = row.client_id
  WHERE row.client_id = $1 AND ($3::uuid IS NULL OR row.payee_id > $3) AND ${NEVER_RELEASED}
    AND clients.status = 'active' AND payees.payable AND payees.provider = ANY($2) AND payees.created_at <= $5::timestamptz
  ORDER BY row.payee_id LIMIT $4`;

/** Hops from payee to payee along the index: one with a million rows costs no more than one with ten. */
const OWING = `
  WITH RECURSIVE owing AS (
    (SELECT payee_id FROM disbursements WHERE status = 'owed' AND ($2::uuid IS NULL OR payee_id > $2)
     ORDER BY payee_id LIMIT 1)
    UNION ALL
    SELECT (SELECT next.payee_id FROM disbursements AS next WHERE next.status = 'owed' AND next.payee_id > owing.payee_id
            ORDER BY next.payee_id LIMIT 1)
    FROM owing WHERE owing.payee_id IS NOT NULL
  ), page AS MATERIALIZED (
    SELECT payee_id FROM owing WHERE payee_id IS NOT NULL LIMIT $3
  )
  SELECT page.payee_id, payees.client_id,
    clients.status = 'active' AND payees.payable AND coalesce(payees.provider = ANY($1), false)
      AND NOT EXISTS (SELECT FROM jobs WHERE jobs.name = 'owed.release' AND jobs.entity_id = page.payee_id)
      AND EXISTS (SELECT FROM disbursements AS row WHERE row.payee_id = page.payee_id AND ${NEVER_RELEASED}) AS forgotten
  FROM page JOIN payees ON payees.id = page.payee_id JOIN clients ON clients.id = payees.client_id
  ORDER BY page.payee_id`;

/** Only the conditions that are asked for stand in the statement, so that each combination has a plan of its own. */
function listQuery(
  filter: DisbursementFilter,
  after: ListPlace | null,
  limit: number,
): { sql: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (item: unknown): string => `$${values.push(item)}`;
  const clientId = `${value(filter.clientId)}::uuid`;
  const conditions = [
    `row.client_id = ${clientId}`,
    filter.status && `row.status = ${value(filter.status)}`,
    filter.payeeId && `row.payee_id = ${value(filter.payeeId)}`,
    filter.transactionId && `row.transaction_id = ${value(filter.transactionId)}`,
    filter.externalRef && `row.external_ref = ${value(filter.externalRef)}`,
    after && isAfterPlace({ table: 'disbursements', row: 'row', clientId }, value(after.createdUs), value(after.id)),
  ].filter(Boolean);
  const sql = `
    SELECT row.*, payees.email, (extract(epoch FROM row.created_at) * 1000000)::bigint::text AS created_us
    FROM disbursements AS row JOIN payees ON payees.id = row.payee_id
    WHERE ${conditions.join(' AND ')} ORDER BY row.created_at DESC, row.id DESC LIMIT ${value(limit + 1)}`;
  return { sql, values };
}
