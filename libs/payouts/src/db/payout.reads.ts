/** How payouts are read: one, locked, by key, as a list, and what a payee got today. */
import { Injectable } from '@nestjs/common';
import type { DayUse } from '#libs/balances';
import type { PageRow } from '#libs/domain';
import { Db } from '#libs/db';
import { CALLED_PAID_AGAIN } from '#libs/drift';
import { FINDINGS, type Leg, type Payout } from '#libs/payout-rules';
import { SENT_ELSEWHERE } from '#libs/rail-registry';
import { AT_ADDRESS, KNOWN_RAIL_KEYS, OF_RAIL_KEYS, OUT_UNDER_CODE, UNKNOWN_OF_THESE } from './by-rail-key';
import { type ListedPayout, pageQuery, type PayoutFilter } from './payout-page';
import { type RulesNow, type Today, TODAY } from './today';
import { FIRST_LINES, NEWEST_LINES, type Trail, TRAILS, trailsOf } from './trail';

/** Where the money of a payout goes, null if nobody knows yet. */
export type PaidOver = Pick<Payout, 'provider' | 'accountId'> & { email: string | null };
export type CodeWanted = PaidOver & { makingWay: string[]; forgetsAfter: number | null };

export interface CodeUse {
  isSpent: boolean;
  /** Over the same rail: another one never saw it. */
  wasSent: boolean;
  /** A rail listed money under it that did not come back, or for other rows of this payee, or these of another, that nobody here knows of. */
  hasMoved: boolean;
  /** Of the last payout that was sent under it: its last call after the first one. */
  lastLeg: Leg | null;
}

@Injectable()
export class PayoutReads {
  constructor(private readonly db: Db) {}

  find(id: string): Promise<Payout | null> {
    return this.db.row<Payout>(`${SELECT_PAYOUT} WHERE payouts.id = $1`, [id]);
  }

  findAll(ids: string[]): Promise<Payout[]> {
    return this.db.rows<Payout>(`${SELECT_PAYOUT} WHERE payouts.id = ANY($1) ORDER BY payouts.id`, [ids]);
  }

  findOf(clientId: string, id: string): Promise<Payout | null> {
    return this.db.row<Payout>(`${SELECT_PAYOUT} WHERE payouts.id = $2 AND payouts.client_id = $1`, [clientId, id]);
  }

  /** Locks in the order of ids, so that two callers with the same payouts never wait for each other in a circle. */
  lockAll(ids: string[]): Promise<Payout[]> {
    return this.db.rows<Payout>(LOCKED, [ids]);
  }

  /** Locks those that nobody else holds; the others are missing. */
  lockFree(ids: string[]): Promise<Payout[]> {
    return this.db.rows<Payout>(`${LOCKED} SKIP LOCKED`, [ids]);
  }

  findByKeys(keys: { clientId: string; idempotencyKey: string }[]): Promise<Payout[]> {
    return this.db.rows<Payout>(BY_KEYS, [
      keys.map(({ clientId }) => clientId),
      keys.map(({ idempotencyKey }) => idempotencyKey),
    ]);
  }

  /** Those of the codes that some payout has, and those under which a rail listed money, whoever asked for that. */
  async knownRailKeys(railKeys: string[]): Promise<{ used: Set<string>; moved: Set<string> }> {
    const rows = await this.db.rows<{ railKey: string; isUsed: boolean; hasMoved: boolean }>(KNOWN_RAIL_KEYS, [
      railKeys,
    ]);
    const those = (are: 'isUsed' | 'hasMoved') => new Set(rows.filter((row) => row[are]).map(({ railKey }) => railKey));
    return { used: those('isUsed'), moved: those('hasMoved') };
  }

  async idOfRailKey(provider: string, railKey: string): Promise<string | null> {
    return (await this.ofRailKeys(provider, [railKey]))[0]?.id ?? null;
  }

  /**
   * In the order of ids. Of several payouts with one code, all but the last are superseded. A payout that was never sent is not the one
   * that the rail means.
   */
  ofRailKeys(provider: string, railKeys: string[]): Promise<Pick<Payout, 'id' | 'provider' | 'clientId'>[]> {
    return this.db.rows(OF_RAIL_KEYS, [provider, railKeys]);
  }

  /** The codes that the same rows were sent under before this payout, also as one they were linked to: where they go now at first, and then the last ones. */
  async codesOfRows(payoutId: string, fingerprint: Buffer, to: PaidOver): Promise<string[]> {
    const sent = await this.db.rows<{ railKey: string }>(
      `SELECT rail_key FROM payouts WHERE id IN (SELECT before_id FROM payouts_of_rows_before WHERE payout_id = $1)
         AND consolidates AND submitted_at IS NOT NULL AND (fingerprint = $2 OR (source IN ('payout', 'batch') AND amount_cents = (
           SELECT sum(row.amount_cents) FROM disbursements AS row WHERE row.transaction_id = $1 HAVING bool_and(payouts.id = ANY(row.earlier)))))
       ORDER BY provider IS NOT DISTINCT FROM $3 AND account_id IS NOT DISTINCT FROM $4 AND coalesce(${AT_ADDRESS} = $5, true) DESC, id DESC`,
      [payoutId, fingerprint, to.provider, to.accountId, to.email],
    );
    return [...new Set(sent.map(({ railKey }) => railKey))];
  }

  /**
   * Whether the code is used up: this rail refused it for good; an operator decided about its money, or found out there what it cannot tell any more (what
   * was given up after a refusal for now it may pay yet); it went to another account or address there, or with another account of ours; or a payout has it that does not make way.
   */
  async useOf(railKey: string, to: CodeWanted): Promise<CodeUse> {
    return (await this.db.row<CodeUse>(
      `SELECT coalesce(bool_or(submitted_at IS NOT NULL AND provider = $4), false) AS was_sent, coalesce(bool_or(
         (submitted_at IS NOT NULL AND provider = coalesce($4, provider)
           AND ((failure_kind = 'permanent' AND split_part(status_reason, ':', 1) NOT IN ('given_up', 'cancelled_by_client')) OR account_id <> $3 OR ${AT_ADDRESS} <> $5
             OR ${IS_ELSEWHERE} OR (never_seen AND coalesce(code_since, submitted_at) < now() - $6::float8 * interval '1 second')))
         OR (superseded_by IS NULL AND id <> ALL($2))
         OR EXISTS (SELECT FROM drift WHERE payout_id = payouts.id AND resolved_by IS NOT NULL AND said IS DISTINCT FROM 'no')), false) AS is_spent,
         EXISTS (${OUT_UNDER_CODE}) OR EXISTS (${UNKNOWN_OF_THESE}) AS has_moved,
         (array_agg(legs -> -1 ORDER BY id DESC) FILTER (WHERE submitted_at IS NOT NULL AND legs <> '[]'))[1] AS last_leg
       FROM payouts WHERE rail_key = $1`,
      [railKey, to.makingWay, to.accountId, to.provider, to.email, to.forgetsAfter],
    )) as CodeUse;
  }

  /** Runs `work` while the payout cannot be deleted, in one transaction; does nothing if it is gone. */
  async ifStillThere(id: string, work: () => Promise<void>): Promise<void> {
    await this.db.inTransaction(async () => {
      if (await this.db.row('SELECT FROM payouts WHERE id = $1 FOR KEY SHARE', [id])) await work();
    });
  }

  /** Its caller, or an operator, had it go on by hand: they know where it stands, and tell its payee themselves. */
  async wentOnByHand(id: string): Promise<boolean> {
    return (await this.db.row(BY_HAND, [id])) !== null;
  }

  /** Those of these payouts whose rows were on others before that were sent. */
  withOthersBefore(payoutIds: string[]): Promise<Set<string>> {
    return this.those(
      `SELECT DISTINCT payout_id AS id FROM payouts_of_rows_before JOIN payouts ON payouts.id = before_id
       WHERE payout_id = ANY($1) AND submitted_at IS NOT NULL`,
      payoutIds,
    );
  }

  /** Payouts of a client that nobody took on yet, of those made by then, in the order of ids and from after that one. */
  waitingToBeSent(clientId: string, madeBy: string, after: string | null, limit: number): Promise<Payout[]> {
    return this.db.rows<Payout>(
      `${SELECT_PAYOUT} WHERE payouts.client_id = $1 AND payouts.created_at <= $2::timestamptz AND ($3::uuid IS NULL OR payouts.id > $3)
         AND (payouts.status = 'authorized' OR (payouts.status = 'submitted' AND payouts.to_send))
       ORDER BY payouts.id LIMIT $4`,
      [clientId, madeBy, after, limit],
    );
  }

  /** Payouts under way that nobody is going to look at. */
  forgotten(): Promise<Payout[]> {
    return this.db.rows<Payout>(FORGOTTEN);
  }

  /** Payouts that their rails had no funds for, and that nobody is going to try again. */
  neverTriedAgain(): Promise<Payout[]> {
    return this.db.rows<Payout>(NEVER_TRIED_AGAIN);
  }

  /** How long until the last withdrawal that did not fail is so many seconds ago; 0 if it is. */
  async secondsToNextWithdrawal(payeeId: string, interval: number): Promise<number> {
    const row = await this.db.row<{ left: number }>(
      `SELECT ceil($2::float8 - extract(epoch FROM now() - created_at))::int AS left FROM payouts
       WHERE payee_id = $1 AND created_at > now() - $2::float8 * interval '1 second'
         AND source IN ('withdraw', 'portal') AND status <> 'failed' ORDER BY created_at DESC LIMIT 1`,
      [payeeId, interval],
    );
    return row?.left ?? 0;
  }

  /** The rail of the newest payout that waits for its floor. */
  async railBelowMinimum(payeeId: string, currency: string): Promise<string | null> {
    const row = await this.db.row<{ provider: string | null }>(
      `SELECT provider FROM payouts WHERE status = 'held' AND split_part(status_reason, ':', 1) = 'below_min_payout'
         AND payee_id = $1 AND currency = $2 ORDER BY created_at DESC LIMIT 1`,
      [payeeId, currency],
    );
    return row?.provider ?? null;
  }

  /** A payout that is released again and again has a trail of any length: only this much of it is read. */
  async trails(payoutIds: string[]): Promise<Map<string, Trail>> {
    return trailsOf(await this.db.rows(TRAILS, [payoutIds, FIRST_LINES, NEWEST_LINES + 1]));
  }

  /** An operator found that the money of a payout that failed landed, and not that it came back since. */
  async hasLanded(payoutId: string): Promise<boolean> {
    const last = await this.db.row<{ type: string }>(
      `SELECT type FROM payout_trail WHERE payout_id = $1 AND type = ANY($2) ORDER BY sequence DESC LIMIT 1`,
      [payoutId, FINDINGS],
    );
    return last?.type === 'found_landed';
  }

  /** Those of these paid ones that an operator called so, and not their rail. */
  calledPaid(payoutIds: string[]): Promise<Set<string>> {
    return this.those(
      `SELECT payout_id AS id FROM payout_trail WHERE payout_id = ANY($1) AND type = 'settle' AND actor = 'operator'`,
      payoutIds,
    );
  }

  list(filter: PayoutFilter, limit: number): Promise<(ListedPayout & PageRow)[]> {
    const { sql, values } = pageQuery(filter, limit);
    return this.db.rows<ListedPayout & PageRow>(sql, values);
  }

  /**
   * The database's day, and what these payees got on it, exact while the payees are locked; and how these clients stand and
   * what they allow by now, for whoever asks may have read them a while ago.
   */
  async today(payeeIds: string[], clientIds: string[]): Promise<Today> {
    const rows = await this.db.rows<DayUse & { today: string; rules: RulesNow | null }>(TODAY, [
      payeeIds,
      [...new Set(clientIds)],
    ]);
    // One of them says it, in whatever order they come.
    const { today, rules } = rows.find((row) => row.rules !== null) as { today: string; rules: RulesNow };
    return { today, ...rules, used: rows.filter(({ payeeId }) => payeeId !== null) };
  }

  /** Of rows, by payout and rail, the last account or address that their code was sent to on another payout. */
  async sentToByCode(payoutIds: string[]): Promise<Map<string, string>> {
    if (payoutIds.length === 0) return new Map();
    const rows = await this.db.rows<{ idAtRail: string; sentTo: string }>(
      `SELECT mine.id || ' ' || sent.provider AS id_at_rail, sent_to FROM payouts AS mine
       CROSS JOIN LATERAL (SELECT DISTINCT ON (provider) provider, coalesce(account_id, ${AT_ADDRESS}) AS sent_to
         FROM payouts WHERE rail_key = mine.rail_key AND submitted_at IS NOT NULL AND id <> mine.id ORDER BY provider, id DESC) AS sent
       WHERE sent_to IS NOT NULL AND mine.id = ANY($1) AND mine.consolidates`,
      [payoutIds],
    );
    return new Map(rows.map(({ idAtRail, sentTo }) => [idAtRail, sentTo]));
  }

  /** Those of these payouts that wait for an operator to look into a difference. */
  disputed(payoutIds: string[]): Promise<Set<string>> {
    return this.those(
      `SELECT id FROM unnest($1::uuid[]) AS wanted (id)
       WHERE (SELECT true FROM payouts_in_dispute WHERE payout_id = wanted.id LIMIT 1)`,
      payoutIds,
    );
  }

  private async those(sql: string, payoutIds: string[]): Promise<Set<string>> {
    const rows = payoutIds.length === 0 ? [] : await this.db.rows<{ id: string }>(sql, [payoutIds]);
    return new Set(rows.map(({ id }) => id));
  }
}

const IS_ELSEWHERE = `EXISTS (SELECT FROM rail_accounts WHERE rail = payouts.provider AND ${SENT_ELSEWHERE})`;
export const SELECT_PAYOUT = `
  SELECT payouts.*, payouts.authorized_on::text AS authorized_on, payees.external_id,
    ${IS_ELSEWHERE} AS sent_elsewhere, ${CALLED_PAID_AGAIN} AS called_paid_again
  FROM payouts JOIN payees ON payees.id = payouts.payee_id`;

const LOCKED = `${SELECT_PAYOUT} WHERE payouts.id = ANY($1) ORDER BY payouts.id FOR NO KEY UPDATE OF payouts`;

const BY_HAND = `
  SELECT FROM payout_trail WHERE payout_id = $1 AND type IN ('release', 'retry') AND actor IN ('client', 'operator') LIMIT 1`;

const NOBODY_SEES_TO = `payouts.updated_at < now() - interval '30 seconds'
    AND NOT EXISTS (SELECT FROM jobs WHERE name = 'payout.drive' AND jobs.entity_id = payouts.id)`;

/** Also what is paid and has to be pulled back, which is written as its index is. */
const FORGOTTEN = `
  SELECT * FROM (
    (${SELECT_PAYOUT}
    WHERE payouts.status IN ('authorized', 'submitted') AND ${NOBODY_SEES_TO} ORDER BY payouts.updated_at LIMIT 500)
    UNION ALL
    (${SELECT_PAYOUT}
    WHERE payouts.status = 'paid'
      AND (legs @> '[{"over": false, "toSend": true}]' OR legs @> '[{"over": false, "said": null}]')
      AND ${NOBODY_SEES_TO} ORDER BY payouts.updated_at LIMIT 500)
  ) AS forgotten ORDER BY updated_at LIMIT 500`;

/** Written as the index on them is. */
const NEVER_TRIED_AGAIN = `
  ${SELECT_PAYOUT}
  WHERE payouts.status = 'failed' AND payouts.failure_kind = 'transient'
    AND split_part(payouts.status_reason, ':', 1) = 'rail_out_of_funds' AND payouts.superseded_by IS NULL
    AND payouts.updated_at < now() - interval '30 seconds'
    AND NOT EXISTS (SELECT FROM jobs WHERE name = 'payout.retry' AND jobs.entity_id = payouts.id)
  ORDER BY payouts.updated_at LIMIT 500`;

/** Key by key: a join would be planned for a table of average size, and this one grows. */
const BY_KEYS = `
  SELECT found.* FROM unnest($1::uuid[], $2::text[]) AS wanted (client_id, idempotency_key)
  CROSS JOIN LATERAL (
    ${SELECT_PAYOUT}
    WHERE payouts.client_id = wanted.client_id AND payouts.idempotency_key = wanted.idempotency_key LIMIT 1
  ) AS found`;
