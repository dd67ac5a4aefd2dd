/**
 * Paid payouts, and how far each look at them came. A look goes over all payouts of a rail in the order in which they were paid: no payout
 * has a job of its own for as long as its money can come back.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { CALLED_PAID, CALLED_PAID_AGAIN } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';

export interface Look {
  rail: string;
  /** How long after it was paid a payout is due. */
  afterSeconds: number;
  /** The rail lists what comes back: only those are due of which nobody knows yet when they arrived. */
  unsettledOnly: boolean;
}

export type PassedOver = Pick<Payout, 'id' | 'provider' | 'clientId'>;

@Injectable()
export class WatchStore {
  constructor(private readonly db: Db) {}

  /**
   * A look that was never made begins with what becomes due from now on. Returns when what is due by now was paid at the latest, to the
   * microsecond.
   */
  async begin({ rail, afterSeconds }: Look): Promise<string> {
    const begun = await this.db.row<{ dueBy: string }>(BEGIN, [rail, afterSeconds]);
    if (!begun) throw new Error('The database did not say what time it is.');
    return begun.dueBy;
  }

  /** The ids of what was due when the look began, oldest first. */
  async due({ rail, afterSeconds, unsettledOnly }: Look, dueBy: string, limit: number): Promise<string[]> {
    const rows = await this.db.rows<{ id: string }>(DUE, [rail, afterSeconds, unsettledOnly, limit, dueBy]);
    return rows.map(({ id }) => id);
  }

  /** These were looked at: the next look begins after the last of them. */
  async done({ rail, afterSeconds }: Look, ids: string[]): Promise<void> {
    await this.db.execute(DONE, [rail, afterSeconds, ids]);
  }

  /**
   * A client's payouts that a look was due for within these last seconds: its payouts are that much older all at once, and may
   * be behind where the look is.
   */
  passed(clientId: string, { rail, afterSeconds, unsettledOnly }: Look, seconds: number): Promise<PassedOver[]> {
    return this.db.rows<PassedOver>(PASSED, [clientId, rail, afterSeconds, unsettledOnly, seconds]);
  }

  /** Paid lately enough that their money can still come back, newest first. */
  async latest(rail: string, withinSeconds: number, limit: number): Promise<string[]> {
    const rows = await this.db.rows<{ id: string }>(LATEST, [rail, withinSeconds, limit]);
    return rows.map(({ id }) => id);
  }
}

const BEGIN = `
  WITH begun AS (
    INSERT INTO rail_watches (rail, after_seconds, watched_until)
    VALUES ($1, $2, now() - $2::int * interval '1 second') ON CONFLICT DO NOTHING
  )
  SELECT (now() - $2::int * interval '1 second')::text AS due_by`;

const IS_DUE = `watch.rail = $1 AND watch.after_seconds = $2 AND payouts.provider = $1
  AND payouts.updated_at >= watched_until AND (payouts.updated_at > watched_until OR last_id IS NULL OR payouts.id > last_id)
  AND payouts.updated_at <= $5::timestamptz`;
const NEXT = 'ORDER BY payouts.updated_at, payouts.id LIMIT $4';

/** A payout that an operator called paid counts from when they said it; operators decide about few, so those are looked up. */
const DUE = `
  SELECT id FROM (
    (SELECT payouts.id, payouts.updated_at FROM payouts, rail_watches AS watch
      WHERE ${IS_DUE} AND status = 'paid' AND (settled_at IS NULL OR NOT $3) ${NEXT})
    UNION
    (SELECT payouts.id, payouts.updated_at FROM drift JOIN payouts ON payouts.id = drift.payout_id, rail_watches AS watch
      WHERE ${IS_DUE} AND NOT $3 AND drift.rail = $1 AND resolved_by IS NOT NULL AND (${CALLED_PAID} OR ${CALLED_PAID_AGAIN}) ${NEXT})
  ) AS payouts ${NEXT}`;

const PASSED = `
  SELECT id, provider, client_id FROM payouts
  WHERE client_id = $1 AND provider = $2 AND status = 'paid' AND (settled_at IS NULL OR NOT $4)
    AND updated_at <= now() - $3::int * interval '1 second'
    AND updated_at > now() - ($3::int + $5::int) * interval '1 second'`;

/** One that changed meanwhile is due again, later. A look goes on and never back, also if a test made some of them older. */
const DONE = `
  UPDATE rail_watches SET (watched_until, last_id) = (
    SELECT updated_at, id FROM payouts WHERE id = ANY($3::uuid[]) AND updated_at <= now() - $2::int * interval '1 second'
      AND updated_at >= rail_watches.watched_until ORDER BY updated_at DESC, id DESC LIMIT 1)
  WHERE rail = $1 AND after_seconds = $2 AND EXISTS (
    SELECT FROM payouts WHERE id = ANY($3::uuid[]) AND updated_at <= now() - $2::int * interval '1 second'
      AND updated_at >= rail_watches.watched_until)`;

const LATEST = `
  SELECT id FROM payouts
  WHERE provider = $1 AND status = 'paid' AND updated_at >= now() - $2::float8 * interval '1 second'
  ORDER BY updated_at DESC, id DESC LIMIT $3`;
