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

/** `since`: when it was paid, or called paid, to the microsecond. */
export interface Due {
  id: string;
  since: string;
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

  /** What was due when the look began, oldest first. */
  due({ rail, afterSeconds, unsettledOnly }: Look, dueBy: string, limit: number): Promise<Due[]> {
    return this.db.rows<Due>(DUE, [rail, afterSeconds, unsettledOnly, limit, dueBy]);
  }

  /** All up to this one were looked at: the next look begins after it. */
  async done({ rail, afterSeconds }: Look, { id, since }: Due): Promise<void> {
    await this.db.execute(DONE, [rail, afterSeconds, since, id]);
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

const isDue = (since: string): string => `watch.rail = $1 AND watch.after_seconds = $2 AND payouts.provider = $1
  AND ${since} >= watched_until AND (${since} > watched_until OR last_id IS NULL OR payouts.id > last_id)
  AND ${since} <= $5::timestamptz`;

/**
 * What an operator called paid counts from when they said it, and not from when it failed or came back; operators decide about few, so
 * those are looked up.
 */
const DUE = `
  SELECT id, due.since::text FROM (
    (SELECT payouts.id, updated_at AS since FROM payouts, rail_watches AS watch
      WHERE ${isDue('updated_at')} AND status = 'paid' AND (settled_at IS NULL OR NOT $3)
      ORDER BY updated_at, payouts.id LIMIT $4)
    UNION
    (SELECT payouts.id, resolved_at AS since FROM drift JOIN payouts ON payouts.id = drift.payout_id, rail_watches AS watch
      WHERE ${isDue('resolved_at')} AND NOT $3 AND drift.rail = $1 AND resolved_by IS NOT NULL
        AND (${CALLED_PAID} OR ${CALLED_PAID_AGAIN})
      ORDER BY resolved_at, payouts.id LIMIT $4)
  ) AS due ORDER BY due.since, id LIMIT $4`;

const PASSED = `
  SELECT id, provider, client_id FROM payouts
  WHERE client_id = $1 AND provider = $2 AND status = 'paid' AND (settled_at IS NULL OR NOT $4)
    AND updated_at <= now() - $3::int * interval '1 second'
    AND updated_at > now() - ($3::int + $5::int) * interval '1 second'`;

/** One that changed meanwhile is due again, later. A look goes on and never back. */
const DONE = `
  UPDATE rail_watches SET watched_until = $3::timestamptz, last_id = $4
  WHERE rail = $1 AND after_seconds = $2 AND watched_until <= $3::timestamptz`;

const LATEST = `
  SELECT id FROM payouts
  WHERE provider = $1 AND status = 'paid' AND updated_at >= now() - $2::float8 * interval '1 second'
  ORDER BY updated_at DESC, id DESC LIMIT $3`;
