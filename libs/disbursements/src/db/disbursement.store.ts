/** The rows of what is owed, and the only writer of their status. Each statement changes as many rows as there are. */
import { Injectable } from '@nestjs/common';
import { type DisbursementStatus, MAX_AMOUNT_CENTS } from '#libs/domain';
import { Db } from '#libs/db';
import type { Taken, TakeOrder } from '#libs/payouts';
import type { Disbursement } from '../disbursement';
import { EVER_ON, SELECT } from './disbursement.reads';

export interface NewRow {
  id: string;
  clientId: string;
  payeeId: string;
  externalRef: string;
  amountCents: number;
  currency: string;
  reason: string | null;
  /** What was known of the rows of this payout is known of it. */
  cameBackFrom?: string;
}

export interface Move {
  transactionId: string;
  from: DisbursementStatus;
  to: DisbursementStatus;
}

/** What may go out in one currency; outside of it, nothing does. */
export interface TakeLimits {
  minCents: number;
  maxCents: number;
}

export type TakenRows = Taken & {
  rows: number;
  /** Owed as well, and not covered by the wallet. */
  left: number;
  /** There may be more than one payout takes. */
  more: boolean;
  /** What would have gone out, where the limits are against it. */
  outside: 'below' | 'above' | null;
};

@Injectable()
export class DisbursementStore {
  /** Of one payout. Its payee and wallet are held for seconds while so many are taken, and no longer. */
  readonly mostRows: number = 100_000;

  constructor(private readonly db: Db) {}

  /** Answers the references that were free. */
  async insert(rows: NewRow[]): Promise<Set<string>> {
    if (rows.length === 0) return new Set();
    const records = rows.map((row, place) => ({ ...row, place }));
    const written = await this.db.rows<{ externalRef: string }>(INSERT, [JSON.stringify(records)]);
    return new Set(written.map(({ externalRef }) => externalRef));
  }

  /**
   * Attaches a payee's owed rows to a payout that is about to be made, oldest first, so many and as far as they are covered. Rows of
   * earlier payouts stay unless each is one of `free`. The limits are looked at here, where it is certain which
   * rows there are: more may be pushed at any time.
   */
  async take(order: TakeOrder, { minCents, maxCents }: TakeLimits): Promise<TakenRows> {
    const { payeeId, currency, payoutId, free, coveredCents } = order;
    const bounds = [coveredCents, MAX_AMOUNT_CENTS, minCents, maxCents, this.mostRows];
    const values = [payeeId, currency, payoutId, free, ...bounds];
    return (await this.db.row<TakenRows>(TAKE, values)) as TakenRows;
  }

  /** The rows of payouts go where their payout went. */
  async follow(moves: Move[]): Promise<void> {
    await this.db.execute(FOLLOW, [
      moves.map(({ transactionId }) => transactionId),
      moves.map(({ from }) => from),
      moves.map(({ to }) => to),
    ]);
  }

  /** The rows that were ever on this payout; the caller holds the payee's lock, so they stay as they are. */
  everOn(payeeId: string, transactionId: string): Promise<Disbursement[]> {
    return this.db.rows<Disbursement>(
      `${SELECT} WHERE row.payee_id = $1 AND (row.transaction_id = $2 OR $2 = ANY(row.earlier)) ORDER BY row.id`,
      [payeeId, transactionId],
    );
  }

  /** The payouts that rows are or were on. */
  async transactionsOf(clientId: string, ids: string[]): Promise<string[]> {
    const rows = await this.db.rows<{ id: string }>(
      `SELECT DISTINCT unnest(${EVER_ON}) AS id FROM disbursements WHERE client_id = $1 AND id = ANY($2)`,
      [clientId, ids],
    );
    return rows.map(({ id }) => id);
  }

  lockAll(clientId: string, ids: string[]): Promise<Disbursement[]> {
    return this.db.rows<Disbursement>(
      `${SELECT} WHERE row.client_id = $1 AND row.id = ANY($2) ORDER BY row.id FOR NO KEY UPDATE OF row`,
      [clientId, ids],
    );
  }

  async link(ids: string[], transactionId: string, status: DisbursementStatus): Promise<void> {
    await this.db.execute(
      `UPDATE disbursements SET earlier = ${WITH_LAST}, transaction_id = $2, status = $3, linked = true, updated_at = now()
       WHERE id = ANY($1)`,
      [ids, transactionId, status],
    );
  }

  /** Owed rows whose money arrived as this payout, which they were on once. */
  async payAs(transactionId: string, ids: string[]): Promise<void> {
    const paid = await this.db.execute(
      `UPDATE disbursements SET earlier = ${WITH_LAST}, transaction_id = $1, status = 'paid', updated_at = now()
       WHERE id = ANY($2) AND status = 'owed'`,
      [transactionId, ids],
    );
    if (paid !== ids.length) throw new Error(`Of ${ids.length} rows that were owed ${paid} still were.`);
  }

  /** The way back from there: rows that count as paid by this payout, whose money came back. */
  async oweAgain(transactionId: string, ids: string[]): Promise<void> {
    const owed = await this.db.execute(
      `UPDATE disbursements SET status = 'owed', updated_at = now()
       WHERE transaction_id = $1 AND id = ANY($2) AND status = 'paid'`,
      [transactionId, ids],
    );
    if (owed !== ids.length) throw new Error(`Of ${ids.length} rows that were called paid ${owed} still were.`);
  }
}

/** The place in the call becomes a microsecond, so that rows pushed together keep their order. */
const INSERT = `
  INSERT INTO disbursements (id, client_id, payee_id, external_ref, amount_cents, currency, reason, status, earlier,
    created_at, updated_at)
  SELECT id, "clientId", "payeeId", "externalRef", "amountCents", currency, reason, 'owed',
    CASE WHEN "cameBackFrom" IS NULL THEN '{}' ELSE ARRAY(
      SELECT DISTINCT unnest(one.earlier || one.transaction_id) FROM disbursements AS one
      WHERE one.transaction_id = "cameBackFrom") END,
    now() + place * interval '1 microsecond', now()
  FROM json_to_recordset($1::json) AS t (id uuid, "clientId" uuid, "payeeId" uuid, "externalRef" text,
    "amountCents" bigint, currency text, reason text, "cameBackFrom" uuid, place int)
  ORDER BY "externalRef" ON CONFLICT (client_id, external_ref) DO NOTHING RETURNING external_ref`;

/** The payouts that a row was on before it goes on to another one. */
const WITH_LAST = `CASE
  WHEN disbursements.transaction_id IS NULL OR disbursements.transaction_id = ANY(disbursements.earlier)
    THEN disbursements.earlier
  ELSE disbursements.earlier || disbursements.transaction_id END`;

/** The digest is of the references in the order of their bytes: the same rows come to the same digest in any database. */
const TAKE = `
  WITH locked AS MATERIALIZED (
    SELECT id, amount_cents, external_ref, reason, transaction_id, created_at FROM disbursements
    WHERE payee_id = $1 AND currency = $2 AND status = 'owed'
      AND ${EVER_ON} <@ $4::uuid[]
    ORDER BY created_at, id LIMIT $9 FOR NO KEY UPDATE
  ), ordered AS (
    SELECT *, sum(amount_cents) OVER (ORDER BY created_at, id) AS running FROM locked
  ), covered AS MATERIALIZED (
    SELECT * FROM ordered WHERE running <= least(coalesce($5::bigint, $6::bigint), $6::bigint)
  ), sums AS (
    SELECT CASE WHEN count(*) = 0 THEN NULL WHEN sum(amount_cents) < $7::bigint THEN 'below'
      WHEN sum(amount_cents) > $8::bigint THEN 'above' END AS outside
    FROM covered
  ), fitting AS MATERIALIZED (
    SELECT covered.* FROM covered, sums WHERE sums.outside IS NULL
  ), taken AS (
    UPDATE disbursements SET status = 'released', earlier = ${WITH_LAST}, transaction_id = $3, linked = false,
      updated_at = now()
    FROM fitting WHERE disbursements.id = fitting.id
  )
  SELECT count(*)::int AS rows,
    (SELECT count(*)::int FROM ordered WHERE $5::bigint IS NOT NULL AND (running > $5::bigint
      OR ((SELECT outside FROM sums) = 'below' AND (SELECT max(running) FROM ordered) > $5::bigint))) AS left,
    (SELECT outside FROM sums) AS outside, (SELECT count(*) = $9 FROM locked) AS more,
    coalesce(sum(amount_cents), 0)::bigint AS amount_cents,
    CASE WHEN count(reason) = count(*) AND min(reason) = max(reason) THEN min(reason) END AS reason,
    encode(sha256(coalesce(
      string_agg(sha256(convert_to(external_ref, 'UTF8')), ''::bytea ORDER BY external_ref COLLATE "C"), ''::bytea)),
      'hex') AS refs_digest,
    coalesce(array_agg(DISTINCT transaction_id) FILTER (WHERE transaction_id IS NOT NULL), '{}') AS earlier
  FROM fitting`;

const FOLLOW = `
  UPDATE disbursements SET status = move.to_status, updated_at = now()
  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS move (transaction_id, from_status, to_status)
  WHERE disbursements.transaction_id = move.transaction_id AND disbursements.status = move.from_status`;
