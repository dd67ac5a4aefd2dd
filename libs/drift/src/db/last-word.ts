/** A rail's last word about the money of a payout at rest, as all of its lines keep it: the statements. */
import { STILL_TO_COME } from '#libs/db';
import { CALLED_PAID, CALLED_PAID_AGAIN, FOUND_AS } from '../drift';
import { OUT_LESS_BACK } from './compared';

/** Less what came back. */
const LISTED_AS_OUT = `coalesce((SELECT ${OUT_LESS_BACK} FROM rail_movements AS moved
  WHERE moved.rail = known.rail AND moved.rail_key = known.rail_key), 0)`;

/** All that ever went out. */
export const LISTED_SO_FAR = `(SELECT sum(amount_cents) FROM rail_movements AS moved
  WHERE moved.rail = known.rail AND moved.rail_key = known.rail_key AND moved.direction = 'out')`;

/**
 * Its list has had more than one payment, and one is out: that money came back is said of the first, and is no word about that one. But if an
 * operator called it paid, somebody is to hear that.
 */
export const ONE_IS_OUT = `(${LISTED_AS_OUT} > 0 AND ${LISTED_SO_FAR} > known.our_cents
  AND (SELECT NOT coalesce((${CALLED_PAID}) OR (${CALLED_PAID_AGAIN}), false) FROM payouts WHERE payouts.id = known.payout_id))`;

/** What its rail said last, as far as anybody wrote that down. */
export const LAST_WORD = `coalesce(known.said, ${FOUND_AS})`;

/**
 * It said otherwise since, and nobody wrote the word down, as a process of before: what was found later is the opposite, or it said no, and no list says
 * otherwise.
 */
export const UNWRITTEN = `(known.kind <> 'not_moved_there' AND (EXISTS (
    SELECT FROM drift AS other WHERE other.payout_id = known.payout_id AND other.rail = known.rail AND other.rail_key = known.rail_key
      AND (known.said IS NULL OR other.said IS NULL) AND other.kind <> 'not_moved_there'
      AND (other.lifting_fee_cents IS NULL) <> (known.lifting_fee_cents IS NULL)
      AND other.found_at > coalesce(known.said_at, known.found_at))
  OR coalesce(${LAST_WORD} = 'out' AND payouts.cleared_at > greatest(known.resolved_at, known.said_at) AND ${LISTED_AS_OUT} <= 0, false)))`;

/** When anything was last said or listed of its money, whatever became of that since. */
export const HEARD_AT = `
  SELECT max(at)::text AS at FROM (
    SELECT greatest(found_at, said_at) AS at FROM drift WHERE payout_id = $1
    UNION ALL SELECT listed_at FROM payouts JOIN rail_movements AS moved ON moved.rail = provider AND moved.rail_key = payouts.rail_key
      WHERE payouts.id = $1) AS heard`;

/** So long, from its date, a question may be under way, and its answer be on its way here. */
const MAY_LAST = `interval '60 seconds'`;

/** What was heard at a time that is still to come was heard before all that is dated by the clock as it is. */
const SAID_AT = `CASE WHEN said_at > ${STILL_TO_COME} AND told_at <= ${STILL_TO_COME} THEN '-infinity' ELSE said_at END`;

/**
 * In the order in which everybody locks them. All lines about a payout keep the same word: the youngest. That it refused what its list has as out is
 * heard, and changes nothing. What is only listed is no news of what was told already: it counts if that is more than any line has. Of two words of the
 * same moment nobody knows which is younger: that it is out counts, for then nothing leaves again; and what was decided by either counts no more.
 * Returns the payouts of which a word was kept that says otherwise, and has a later date, or says that the money is out and is less than a minute older.
 */
export const HEARD = `
  WITH told AS (
    SELECT payout_id, rail, rail_key, said, coalesce(at, now()) AS at, listed
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bool[]) AS one (payout_id, rail, rail_key, said, at, listed)
  ), about AS (
    SELECT known.id, payout_id, rail, rail_key, known.said, known.said_at, told.at AS told_at,
      told.said AS told_said, coalesce(known.said_at = told.at AND known.said <> told.said, false) AS is_contradicted
    FROM drift AS known JOIN told USING (payout_id, rail, rail_key)
    WHERE NOT (told.said = 'no' AND ${LISTED_AS_OUT} > 0) AND NOT (told.said = 'back' AND ${ONE_IS_OUT}) AND (NOT told.listed OR ${LISTED_SO_FAR} > (
      SELECT max(rail_cents) FROM drift AS line WHERE line.payout_id = known.payout_id AND line.rail = known.rail AND line.rail_key = known.rail_key))
    ORDER BY known.id FOR NO KEY UPDATE OF known
  ), last AS (
    SELECT DISTINCT ON (payout_id, rail, rail_key) * FROM (
      SELECT payout_id, rail, rail_key, said, at, true AS is_told FROM told
      UNION ALL SELECT payout_id, rail, rail_key, said, ${SAID_AT}, false FROM about WHERE said IS NOT NULL AND said_at IS NOT NULL
    ) AS words ORDER BY payout_id, rail, rail_key, at DESC, (said = 'out') DESC, is_told DESC
  ), changed AS (
    UPDATE drift AS known SET said = last.said, said_at = last.at,
      overtaken = known.overtaken OR (known.resolved_at IS NOT NULL AND (coalesce(${LAST_WORD} <> last.said, false) OR ${UNWRITTEN}
        OR about.is_contradicted))
    FROM about JOIN last USING (payout_id, rail, rail_key) JOIN payouts ON payouts.id = payout_id
    WHERE known.id = about.id AND ((known.said, known.said_at) IS DISTINCT FROM (last.said, last.at) OR about.is_contradicted)
  )
  SELECT DISTINCT payout_id FROM about
  WHERE said <> told_said AND ${SAID_AT} > told_at - CASE said WHEN 'out' THEN ${MAY_LAST} ELSE interval '0' END`;
