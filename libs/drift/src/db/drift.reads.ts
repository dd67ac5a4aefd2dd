/** The differences that were found, newest first. */
import { Injectable } from '@nestjs/common';
import type { ListPlace } from '#libs/domain';
import { Db } from '#libs/db';
import type { Drift } from '../drift';
import { IS_UNPAID } from './drift.book';

/** taken_on: its rail had not moved the money yet, or not all payments of it. */
export type DecidedOf = 'moved' | 'taken_on';

/** What a rail said of a payout's money once that had ended, also if its list closed the difference since. */
export interface HeardOf {
  /** When, for the last time; a no is none that money moved. */
  at: Date;
  /** That it was out: whoever says once more that it came back only repeats that. */
  outAt: Date;
  /** It came back, and was out once more. */
  wasOutAgain: boolean;
}

@Injectable()
export class DriftReads {
  constructor(private readonly db: Db) {}

  /** The payouts of a payee about whose money a rail and we disagree. */
  async disputedOf(payeeId: string): Promise<Set<string>> {
    const rows = await this.db.rows<{ id: string }>(DISPUTED, [payeeId]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Those of these payouts about which an operator has decided, that are still as they were then, and of which its rail said nothing else since; of what. */
  async decided(payoutIds: string[]): Promise<Map<string, DecidedOf>> {
    const rows = await this.db.rows<{ payoutId: string; hasMoved: boolean }>(
      `SELECT payout_id, bool_and(has_moved) AS has_moved FROM (
         SELECT DISTINCT ON (payout_id, drift.provider_ref) payout_id, has_moved FROM drift JOIN payouts ON payouts.id = payout_id
         WHERE payout_id = ANY($1) AND resolved_by IS NOT NULL AND NOT overtaken AND resolved_attempt = attempt
           AND resolved_unpaid = (${IS_UNPAID})
         ORDER BY payout_id, drift.provider_ref, found_at DESC) AS payment
       GROUP BY payout_id`,
      [payoutIds],
    );
    return new Map(rows.map(({ payoutId, hasMoved }) => [payoutId, hasMoved ? 'moved' : 'taken_on']));
  }

  /** null: its rail has said nothing of money of this payout since that ended. */
  async heardOf(payoutId: string): Promise<HeardOf | null> {
    return this.db.row<HeardOf>(
      `SELECT max(at) AS at, max(out_at) AS out_at, bool_or(was_out_again) AS was_out_again
       FROM (${TOLD_OF} UNION ALL ${LISTED_OF}) AS heard HAVING count(*) > 0`,
      [payoutId],
    );
  }

  async find(id: string): Promise<Drift | null> {
    const [found] = await this.db.rows<Drift>('SELECT * FROM drift WHERE id = $1', [id]);
    return found ?? null;
  }

  list(
    filter: { rail?: string; open?: boolean },
    after: ListPlace | null,
    limit: number,
  ): Promise<(Drift & ListPlace)[]> {
    return this.db.rows<Drift & ListPlace>(LIST, [
      filter.rail ?? null,
      filter.open ?? null,
      after?.createdUs ?? null,
      after?.id ?? null,
      limit,
    ]);
  }
}

const TOLD_OF = `
  SELECT CASE WHEN said = 'no' THEN found_at ELSE greatest(found_at, said_at) END AS at,
    CASE WHEN said IN ('no', 'back') THEN found_at ELSE greatest(found_at, said_at) END AS out_at, our_status = 'returned' AS was_out_again
  FROM drift WHERE payout_id = $1 AND kind <> 'not_moved_there'`;

/** A call that came to nothing may have been pulled back before what was paid left: under another reference, and listed before that was. */
const IS_OF_A_CALL_BEFORE = `moved.provider_ref <> payouts.provider_ref AND moved.listed_at < (
  SELECT max(created_at) FROM payout_trail WHERE payout_id = payouts.id AND to_status = 'submitted')
  AND moved.listed_at < (SELECT min(own.listed_at) FROM rail_movements AS own WHERE own.rail = moved.rail AND own.rail_key = moved.rail_key
    AND own.direction = 'out' AND own.provider_ref = payouts.provider_ref)`;

/** Of what is listed as out and back at once there is no difference. What came back was out before: only more than that is out again. */
const LISTED_OF = `
  SELECT max(listed_at), max(listed_at), status = 'returned' FROM payouts JOIN rail_movements AS moved ON moved.rail = provider AND moved.rail_key = payouts.rail_key
  WHERE payouts.id = $1 AND direction = 'out' GROUP BY payouts.id
  HAVING status = 'failed' OR (status = 'returned'
    AND sum(moved.amount_cents) FILTER (WHERE (${IS_OF_A_CALL_BEFORE}) IS NOT TRUE) > payouts.amount_cents)`;

const DISPUTED = `
  SELECT DISTINCT payout_id AS id FROM drift JOIN payouts ON payouts.id = payout_id
  WHERE resolved_at IS NULL AND payee_id = $1`;

const LIST = `
  SELECT *, (extract(epoch FROM found_at) * 1000000)::bigint::text AS created_us FROM drift
  WHERE ($1::text IS NULL OR rail = $1) AND ($2::boolean IS NULL OR (resolved_at IS NULL) = $2)
    AND ($3::bigint IS NULL OR (found_at, id) < (to_timestamp(0) + $3::bigint * interval '1 microsecond', $4::uuid))
  ORDER BY found_at DESC, id DESC LIMIT $5 + 1`;
