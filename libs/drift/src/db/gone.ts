/** Differences that are none any more, as a rail's list says: the statements. */
import { CALLED_PAID_AGAIN } from '../drift';
import { codesIn, LATE, ONLY_PULLED_BACK, OUT_LESS_BACK, PULLED_BACK, UNLISTED } from './compared';

/** How much is listed of a payout, less what was pulled back, or null for nothing; and whether more than that came back. */
const AS_LISTED = `
  SELECT bool_and(listed.cents - ${PULLED_BACK} = payouts.amount_cents AND listed.currency = payouts.currency)
      FILTER (WHERE listed.cents > 0) AS agrees,
    bool_or(listed.back_cents > ${PULLED_BACK}) AS came_back
  FROM (SELECT currency, max(listed_at) < ${LATE} AS all_late,
      coalesce(sum(amount_cents) FILTER (WHERE direction = 'out'), 0) AS cents,
      coalesce(sum(amount_cents) FILTER (WHERE direction = 'back'), 0) AS back_cents
    FROM rail_movements WHERE rail_movements.rail = $1 AND rail_movements.rail_key = drift.rail_key
    GROUP BY currency) AS listed`;

/**
 * Both sides say the same about the same money: a payout that is only under way here may still be refused. Everything that was ever
 * listed counts, and only an operator closes money that moved twice, that came no further than to its payee's account, or that its rail
 * called refused: that line has no amount, which compares with nothing here. Money that was named as out, or said to be, came back in full since,
 * and left nothing else out under its code, is no difference any more.
 */
const IS_GONE = `rail = $1 AND resolved_at IS NULL AND lifting_fee_cents IS NULL
    AND NOT (kind = 'amount_differs' AND rail_cents >= 2 * our_cents) AND (
      (kind = 'not_moved_there' AND rail_key IN ${codesIn('$2')} AND NOT EXISTS (
        SELECT FROM payouts ${UNLISTED} WHERE payouts.id = drift.payout_id AND ${ONLY_PULLED_BACK}))
      OR (kind = 'not_paid_here' AND EXISTS (SELECT FROM payouts WHERE payouts.id = drift.payout_id AND submitted_at IS NOT NULL)
        AND EXISTS (SELECT FROM rail_movements AS moved WHERE moved.rail = $1 AND moved.rail_key = drift.rail_key
          AND moved.provider_ref = drift.provider_ref AND moved.currency = drift.rail_currency
          HAVING ${OUT_LESS_BACK} = 0 AND max(listed_at) FILTER (WHERE direction = 'back')
            >= greatest(drift.found_at, CASE drift.said WHEN 'out' THEN drift.said_at END))
        AND EXISTS (SELECT FROM rail_movements AS moved WHERE moved.rail = $1 AND moved.rail_key = drift.rail_key
          HAVING ${OUT_LESS_BACK} = 0))
      OR (kind <> 'not_moved_there' AND EXISTS (
        SELECT FROM payouts ${UNLISTED} CROSS JOIN LATERAL (${AS_LISTED}) AS as_listed
        WHERE payouts.rail_key = drift.rail_key AND payouts.provider = drift.rail
          AND (NOT (payouts.status = 'paid' OR ${CALLED_PAID_AGAIN}) OR (came_back IS NOT TRUE AND NOT (kind = 'amount_differs' AND rail_cents = 0)))
          AND coalesce(agrees, payouts.amount_cents = drift.rail_cents AND payouts.currency = drift.rail_currency)
          AND (payouts.status IN ('paid', 'returned') OR (payouts.status = 'submitted'
            AND payouts.accepted_attempt IS NOT NULL AND payouts.provider_ref = drift.provider_ref)))))`;

export const WERE_MISSING = `SELECT rail_key FROM drift WHERE rail = $1 AND resolved_at IS NULL AND kind = 'not_moved_there'`;

/** null: it said last that the money is not out. */
export const SAID = `SELECT id, CASE said WHEN 'out' THEN said_at::text END AS at FROM drift
  WHERE rail = $1 AND resolved_at IS NULL AND said IS NOT NULL`;

/** is_first: it told that the money is out, not by its list alone, and the list that was asked for at $3 is the first to say that it came back. */
export const GONE = `SELECT id, payout_id, said = 'out'
    AND NOT EXISTS (SELECT FROM rail_movements AS moved WHERE moved.rail = $1 AND moved.rail_key = drift.rail_key AND moved.direction = 'out'
      AND date_trunc('milliseconds', moved.listed_at) = drift.said_at)
    AND EXISTS (SELECT FROM rail_movements AS moved WHERE moved.rail = $1 AND moved.rail_key = drift.rail_key AND moved.direction = 'back'
      AND moved.listed_at >= $3::timestamptz) AS is_first
  FROM drift WHERE ${IS_GONE}`;
export const RESOLVE = `
  WITH free AS MATERIALIZED (SELECT id FROM drift WHERE id = ANY($3::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE drift SET resolved_at = now() WHERE id IN (SELECT id FROM free) AND ${IS_GONE}`;
