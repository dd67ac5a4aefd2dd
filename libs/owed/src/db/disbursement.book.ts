/**
 * The rows of what is owed, and the only writer of their status. Of one payout there may be very many: their changes go in
 * portions, all in the transaction of the caller, so that no statement takes long however slow the disk is.
 */
import { Injectable } from '@nestjs/common';
import { type DisbursementStatus, MAX_AMOUNT_CENTS } from '#libs/domain';
import { Portions } from '#libs/batcher';
import { Db } from '#libs/db';
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
  /** The earlier payout that these rows came back from, if any: what is known of its rows holds for these. */
  cameBackFrom?: string;
}

export interface RowMove {
  transactionId: string;
  from: DisbursementStatus;
  to: DisbursementStatus;
}

export interface TakeOrder {
  payeeId: string;
  currency: string;
  /** The payout that is going to be made of the rows. */
  payoutId: string;
  /** Rows of other payouts are not to be taken: they may have been paid after all. */
  free: string[];
  /** How much a prepaid client's wallet covers; null if there is no limit. */
  coveredCents: number | null;
}

export interface Taken {
  amountCents: number;
  reason: string | null;
  /** The same for the same rows, whatever their order. */
  refsDigest: string;
  earlier: string[];
}

/** The range that may go out in one currency; an amount outside it stays. */
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
  /** Why nothing went out, if the limits are against it. */
  outside: 'below' | 'above' | null;
};

/** Of the portions that were looked at so far. */
interface Sum {
  seen: number;
  /** The sum of all of them, which may be more than a number holds exactly. */
  running: string;
  takenCents: number;
  /** Owed, and past what is covered. */
  past: number;
  earlier: Set<string>;
  /** The place of the last one. */
  at: string;
  id: string;
}

const NOTHING: Omit<Sum, 'earlier'> = {
  ...{ seen: 0, running: '0', takenCents: 0, past: 0 },
  ...{ at: '-infinity', id: '00000000-0000-0000-0000-000000000000' },
};

interface Portion extends Omit<Sum, 'earlier'> {
  earlier: string[];
}

type Summary = Pick<TakenRows, 'rows' | 'amountCents' | 'reason' | 'refsDigest'>;

@Injectable()
export class DisbursementBook {
  /** Of one payout. Its payee and wallet are held for seconds while so many are taken, and no longer. */
  readonly mostRows: number = 100_000;
  /** Of one statement: a row that takes milliseconds leaves it far from the time at which PostgreSQL gives it up. */
  readonly portion: number = 1_000;
  private readonly portions = new Portions();
  /** A wallet is held meanwhile: neither for their rest nor for others' portions do they wait longer than that. */
  private readonly moves = new Portions({ turnWithinMs: 20, longestRestMs: 20 });

  constructor(private readonly db: Db) {}

  /** Returns the references that were free. */
  async insert(rows: NewRow[]): Promise<Set<string>> {
    if (rows.length === 0) return new Set();
    const records = rows.map((row, place) => ({ ...row, place }));
    const written = await this.db.rows<{ externalRef: string }>(INSERT, [JSON.stringify(records)]);
    return new Set(written.map(({ externalRef }) => externalRef));
  }

  /**
   * Attaches a payee's owed rows to a payout that is about to be made, oldest first, so many and as far as they are covered. Rows of
   * earlier payouts stay unless each is one of `free`. The limits are looked at here, where it is certain which
   * rows there are: more may be pushed at any time. If they are against it, nothing was attached.
   */
  async take(order: TakeOrder, { minCents, maxCents }: TakeLimits): Promise<TakenRows> {
    await this.db.write('SAVEPOINT before_rows');
    const sum = await this.takePortions(order);
    const { seen, takenCents, past, earlier } = sum;
    const outside = takenCents === 0 ? null : takenCents < minCents ? 'below' : takenCents > maxCents ? 'above' : null;
    if (outside) await this.db.execute('ROLLBACK TO SAVEPOINT before_rows');
    // The wallet covers too little for any of it to leave: all of it waits for funds.
    const left = outside === 'below' && past > 0 ? seen : past;
    const summary = (await this.db.row<Summary>(SUMMARY, [order.payoutId])) as Summary;
    return { ...summary, left, outside, more: seen === this.mostRows, earlier: outside ? [] : [...earlier] };
  }

  private async takePortions({ payeeId, currency, payoutId, free, coveredCents }: TakeOrder): Promise<Sum> {
    const sum: Sum = { ...NOTHING, earlier: new Set() };
    for (let portion = 0; sum.seen < this.mostRows;) {
      portion = Math.min(this.portion, this.mostRows - sum.seen);
      const values = [payeeId, currency, payoutId, free, coveredCents, MAX_AMOUNT_CENTS];
      const place = [sum.running, sum.at, sum.id, portion];
      const next = await this.portions.run(() => this.db.row<Portion>(TAKE, [...values, ...place]));
      if (!next) break;
      sum.seen += next.seen;
      sum.takenCents += next.takenCents;
      sum.past += next.past;
      for (const id of next.earlier) sum.earlier.add(id);
      Object.assign(sum, { running: next.running, at: next.at, id: next.id });
      if (next.seen < portion) break;
    }
    return sum;
  }

  /** The rows of payouts go where their payout went. */
  async follow(moves: RowMove[]): Promise<void> {
    if (moves.length === 0) return;
    const values = [
      moves.map(({ transactionId }) => transactionId),
      moves.map(({ from }) => from),
      moves.map(({ to }) => to),
      this.portion,
    ];
    const next = (): Promise<number> => this.db.execute(FOLLOW, values);
    let moved = await next();
    // Of that many rows what is left is long work.
    while (moved === this.portion) moved = await this.moves.run(next);
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
    const paid = await this.inPortions(PAY_AS, transactionId, ids);
    if (paid !== ids.length) throw new Error(`Of ${ids.length} rows that were owed ${paid} still were.`);
  }

  /** The way back from there: rows that count as paid by this payout, whose money came back. */
  async oweAgain(transactionId: string, ids: string[]): Promise<void> {
    const owed = await this.inPortions(OWE_AGAIN, transactionId, ids);
    if (owed !== ids.length) throw new Error(`Of ${ids.length} rows that were called paid ${owed} still were.`);
  }

  private async inPortions(sql: string, transactionId: string, ids: string[]): Promise<number> {
    let changed = 0;
    for (let from = 0; from < ids.length; from += this.portion)
      changed += await this.db.execute(sql, [transactionId, ids.slice(from, from + this.portion)]);
    return changed;
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

const PAY_AS = `
  UPDATE disbursements SET earlier = ${WITH_LAST}, transaction_id = $1, status = 'paid', updated_at = now()
  WHERE id = ANY($2) AND status = 'owed'`;

const OWE_AGAIN = `
  UPDATE disbursements SET status = 'owed', updated_at = now()
  WHERE transaction_id = $1 AND id = ANY($2) AND status = 'paid'`;

/** From after a place on, and beside what was looked at before it. Its own rows stay locked, also those that are not covered. */
const TAKE = `
  WITH locked AS MATERIALIZED (
    SELECT id, amount_cents, transaction_id, created_at FROM disbursements
    WHERE payee_id = $1 AND currency = $2 AND status = 'owed' AND ${EVER_ON} <@ $4::uuid[]
      AND (created_at, id) > ($8::timestamptz, $9::uuid)
    ORDER BY created_at, id LIMIT $10 FOR NO KEY UPDATE
  ), ordered AS MATERIALIZED (
    SELECT *, $7::numeric + sum(amount_cents) OVER (ORDER BY created_at, id) AS running FROM locked
  ), fitting AS MATERIALIZED (
    SELECT * FROM ordered WHERE running <= least(coalesce($5::bigint, $6::bigint), $6::bigint)
  ), taken AS (
    UPDATE disbursements SET status = 'released', earlier = ${WITH_LAST}, transaction_id = $3, linked = false,
      updated_at = now()
    FROM fitting WHERE disbursements.id = fitting.id
  )
  SELECT last.running::text, last.created_at::text AS at, last.id,
    (SELECT count(*)::int FROM ordered) AS seen,
    (SELECT count(*)::int FROM ordered WHERE running > $5::bigint) AS past,
    (SELECT coalesce(sum(amount_cents), 0)::bigint FROM fitting) AS taken_cents,
    (SELECT coalesce(array_agg(DISTINCT transaction_id) FILTER (WHERE transaction_id IS NOT NULL), '{}') FROM fitting)
      AS earlier
  FROM ordered AS last ORDER BY last.created_at DESC, last.id DESC LIMIT 1`;

/**
 * The digest is of the references in the order of their bytes: the same rows come to the same digest in any database. Rows of returned
 * money are named by the code of their payout, because its id is a different one when it is made again.
 */
const SUMMARY = `
  SELECT count(*)::int AS rows, coalesce(sum(amount_cents), 0)::bigint AS amount_cents,
    CASE WHEN count(reason) = count(*) AND min(reason) = max(reason) THEN min(reason) END AS reason,
    encode(sha256(coalesce(
      string_agg(sha256(convert_to(known_as, 'UTF8')), ''::bytea ORDER BY known_as COLLATE "C"), ''::bytea)), 'hex')
      AS refs_digest
  FROM disbursements CROSS JOIN LATERAL (
    SELECT CASE WHEN external_ref LIKE 'return:%' THEN 'return:' || (
      SELECT rail_key FROM payouts WHERE id = substr(external_ref, 8)::uuid) ELSE external_ref END AS known_as
  ) AS one
  WHERE transaction_id = $1`;

/** Moved rows no longer match, so the next portion finds others. The caller holds the payout of these rows. */
const FOLLOW = `
  WITH portion AS MATERIALIZED (
    SELECT row.id, move.to_status
    FROM unnest($1::uuid[], $2::text[], $3::text[]) AS move (transaction_id, from_status, to_status)
    JOIN disbursements AS row ON row.transaction_id = move.transaction_id AND row.status = move.from_status LIMIT $4
  )
  UPDATE disbursements SET status = portion.to_status, updated_at = now()
  FROM portion WHERE disbursements.id = portion.id`;
