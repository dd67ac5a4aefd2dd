/** What is held for a cause that passes by itself, and whose turn it is. Rows are locked in the order of their ids. */
import { Injectable } from '@nestjs/common';
import type { KnownReason } from '#libs/domain';
import { Db } from '#libs/db';
import type { Payout } from '../payout';
import { HELD_IN_DISPUTE } from '../goes-on';
import { SELECT_PAYOUT } from './payout.reads';

export interface AccruedGroup {
  clientId: string;
  payeeId: string;
  provider: string | null;
  currency: string;
  cents: number;
}

export interface Waiting {
  id: string;
  payeeId: string;
  amountCents: number;
}

export interface Fitting {
  cents: number;
  /** Payouts. */
  without: string[];
}

/** The most that one statement answers; whoever works through them asks again. */
const PAGE = 200;

@Injectable()
export class HeldReads {
  constructor(private readonly db: Db) {}

  async lockFor(reason: KnownReason, payeeIds: string[]): Promise<Payout[]> {
    const rows = await this.db.rows<Payout>(LOCK, [reason, payeeIds]);
    return rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
  }

  /** What waits on a floor, summed by payee, rail and currency. */
  accrued(): Promise<AccruedGroup[]> {
    return this.db.rows<AccruedGroup>(ACCRUED);
  }

  /** Payees with rows that were held for a day's cap on a day that is over, without some. */
  async payeesOfAnEarlierDay(without: string[]): Promise<string[]> {
    const rows = await this.db.rows<{ payeeId: string }>(EARLIER_DAY, [PAGE, without]);
    return rows.map(({ payeeId }) => payeeId);
  }

  async isOfAnEarlierDay(payoutIds: string[]): Promise<Set<string>> {
    const rows = await this.db.rows<{ id: string }>(
      `SELECT id FROM payouts WHERE id = ANY($1) AND updated_at < ${TODAY}`,
      [payoutIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** By payee: what is held for a difference, and is in none any more. */
  undisputed(): Promise<{ payeeId: string; ids: string[] }[]> {
    return this.db.rows(UNDISPUTED, [HELD_IN_DISPUTE]);
  }

  clientsShortOfFunds(): Promise<{ clientId: string }[]> {
    return this.db.rows(
      `SELECT DISTINCT client_id FROM payouts WHERE ${HELD_FOR_FUNDS} AND short_of = 'wallet' AND ${OF_ACTIVE}`,
    );
  }

  railsShortOfFunds(): Promise<{ provider: string }[]> {
    return this.db.rows(
      `SELECT DISTINCT provider FROM payouts WHERE ${HELD_FOR_FUNDS} AND short_of = 'rail' AND ${OF_ACTIVE}`,
    );
  }

  /** Oldest first, those that fit, without some. */
  waitingForWallet(clientId: string, currency: string, fitting: Fitting): Promise<Waiting[]> {
    return this.db.rows<Waiting>(FOR_WALLET, [clientId, currency, fitting.cents, PAGE, fitting.without]);
  }

  waitingForRail(provider: string, currency: string, fitting: Fitting): Promise<Waiting[]> {
    return this.db.rows<Waiting>(FOR_RAIL, [provider, currency, fitting.cents, PAGE, fitting.without]);
  }
}

/** Written as the index on held payouts is. */
const HELD_FOR = `status = 'held' AND split_part(status_reason, ':', 1)`;
const HELD_FOR_FUNDS = `${HELD_FOR} = 'insufficient_funds'`;
/** Nothing goes on by itself for a client that is suspended or closed. */
const OF_ACTIVE = `client_id IN (SELECT id FROM clients WHERE status = 'active')`;
const TODAY = `date_trunc('day', now() AT TIME ZONE 'utc') AT TIME ZONE 'utc'`;

const LOCK = `
  ${SELECT_PAYOUT}
  WHERE payouts.status = 'held' AND split_part(payouts.status_reason, ':', 1) = $1 AND payouts.payee_id = ANY($2)
  ORDER BY payouts.id FOR NO KEY UPDATE OF payouts`;

const ACCRUED = `
  SELECT client_id, payee_id, provider, currency, sum(amount_cents)::bigint AS cents FROM payouts
  WHERE ${HELD_FOR} = 'below_min_payout' AND ${OF_ACTIVE} GROUP BY client_id, payee_id, provider, currency`;

const EARLIER_DAY = `
  SELECT payee_id, min(created_at) AS oldest FROM payouts
  WHERE ${HELD_FOR} = 'cap_exceeded_daily' AND updated_at < ${TODAY} AND ${OF_ACTIVE} AND payee_id <> ALL($2::uuid[])
  GROUP BY payee_id ORDER BY oldest LIMIT $1`;

/** Whatever an operator decided about money of its own code, its rail would repeat what it said of it. */
const UNDISPUTED = `
  SELECT payee_id, array_agg(id) AS ids FROM payouts
  WHERE ${HELD_FOR} = 'route_blocked' AND status_reason = $1 AND superseded_by IS NULL AND ${OF_ACTIVE}
    AND NOT EXISTS (SELECT FROM drift WHERE resolved_by IS NOT NULL AND drift.payout_id = payouts.id)
    AND (SELECT true FROM payouts_in_dispute WHERE payout_id = payouts.id LIMIT 1) IS NULL
  GROUP BY payee_id ORDER BY min(created_at)`;

const FOR_WALLET = `
  SELECT id, payee_id, amount_cents FROM payouts
  WHERE ${HELD_FOR_FUNDS} AND short_of = 'wallet' AND ${OF_ACTIVE} AND client_id = $1 AND currency = $2 AND amount_cents <= $3
    AND id <> ALL($5::uuid[])
  ORDER BY created_at, id LIMIT $4`;

const FOR_RAIL = `
  SELECT id, payee_id, amount_cents FROM payouts
  WHERE ${HELD_FOR_FUNDS} AND short_of = 'rail' AND ${OF_ACTIVE} AND provider = $1 AND currency = $2 AND amount_cents <= $3
    AND id <> ALL($5::uuid[])
  ORDER BY created_at, id LIMIT $4`;
