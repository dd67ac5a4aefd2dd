/** What rails list under a code, held against the payout that has it: the statements. */
import { CALLED_PAID } from '../drift';

/** Sent by no payout that is known here: what came back of it may have left again since, and its rail be late to list that. */
const SENT_BEFORE = `payouts.submitted_at IS NULL AND payouts.status IN ('requested', 'authorized', 'held')`;

const NOT_PAID = `payouts.status IN ('requested', 'authorized', 'held', 'failed')`;

/** A payout that ended for good, or whose rows went on, changes no more. */
const MAY_GO_ON = `payouts.superseded_by IS NULL AND payouts.submitted_at IS NOT NULL
  AND (payouts.status IN ('submitted', 'held') OR (payouts.status = 'failed' AND payouts.failure_kind = 'transient'))`;

/** The rail told of its money under this reference, as `referenceOf` says. */
export const HAS_REFERENCE = `payouts.provider_ref IS NOT NULL AND (payouts.status IN ('paid', 'returned')
  OR (payouts.status = 'submitted' AND payouts.accepted_attempt IS NOT NULL))`;

/**
 * A rail listed it some minutes ago, and when asked since, never told of it. Rails list a movement again for a while only, so movements
 * listed since the last comparison but one are looked at as well.
 */
export const LATE = `now() - interval '5 minutes'`;
const MAYBE_LATE = `
  SELECT rail_key FROM rail_movements WHERE rail = $1 AND listed_at < ${LATE}
    AND listed_at >= (SELECT scanned_until - interval '10 minutes' FROM rail_scans WHERE rail = $1)`;

/** Money that a restored database is asked for again: its payout is held, and an operator has to say what became of it. */
const MOVED_BEFORE = `
  SELECT rail_key FROM payouts
  WHERE status = 'held' AND split_part(status_reason, ':', 1) = 'route_blocked' AND provider = $1 AND submitted_at IS NULL`;

const SUM_OUT_LESS_BACK = `sum(CASE moved.direction WHEN 'out' THEN moved.amount_cents ELSE -moved.amount_cents END)`;
export const OUT_LESS_BACK = `${SUM_OUT_LESS_BACK}::bigint`;

const markedIfOut = (movements: string): string => `
  SELECT *, ${SUM_OUT_LESS_BACK} OVER (PARTITION BY rail_key, currency, provider_ref) > 0 AS is_out FROM ${movements}`;
/** Those whose money is still out come first. */
const REFERENCES = 'array_agg(moved.provider_ref ORDER BY moved.is_out DESC, moved.listed_at DESC, moved.provider_ref)';

/**
 * How much ever moved under each code as listed, and how much came back. The age is that of the last movement: a payout that is tried
 * again has others from long before.
 */
const listed = (codes: string): string => `
  SELECT rail_key, currency, ${REFERENCES} FILTER (WHERE direction = 'out') AS refs,
    max(listed_at) FILTER (WHERE direction = 'out') AS out_at,
    coalesce(sum(amount_cents) FILTER (WHERE direction = 'out'), 0)::bigint AS cents,
    coalesce(sum(amount_cents) FILTER (WHERE direction = 'back'), 0)::bigint AS back_cents,
    max(listed_at) FILTER (WHERE direction = 'out') < ${LATE} AS late,
    max(listed_at) < ${LATE} AS all_late,
    max(listed_at) FILTER (WHERE direction = 'back') < ${LATE} AS back_late
  FROM (${markedIfOut(`(${codes}) AS wanted JOIN rail_movements AS moved USING (rail_key) WHERE rail = $1`)}) AS moved
  GROUP BY rail_key, currency`;

/** Money that was told of under a reference, and is not listed, moved in addition. A rail may list it a little later than it tells of it. */
export const UNLISTED = `
  CROSS JOIN LATERAL (SELECT ${HAS_REFERENCE} AND NOT EXISTS (
    SELECT FROM rail_movements AS one WHERE one.rail = $1 AND one.rail_key = payouts.rail_key AND one.direction = 'out'
      AND coalesce(one.provider_ref = payouts.provider_ref, true)) AS yes) AS unlisted`;
const UNLISTED_CENTS = `CASE WHEN unlisted.yes THEN payouts.amount_cents ELSE 0 END`;

/**
 * A call that came to nothing is pulled back, and another one pays: so returned money first of all belongs to the first call. If the
 * payout is returned, it is first of all its own money, and anything beyond that went out again; but in legs the bounce may not be
 * listed yet. Money that was never listed as gone out is not what is listed as come back.
 */
const pulledBack = (bouncesAreListed: string): string => `least(
  greatest(listed.cents + ${UNLISTED_CENTS} - payouts.amount_cents, 0), greatest(listed.back_cents - CASE
  WHEN payouts.status = 'returned' AND NOT unlisted.yes AND (payouts.legs = '[]' OR (${bouncesAreListed}))
  THEN payouts.amount_cents - payouts.lifting_fee_cents ELSE 0 END, 0))`;
export const PULLED_BACK = pulledBack(`listed.all_late AND payouts.updated_at < ${LATE}`);

/**
 * Listed as come back, and paid here, or called paid by an operator, who can take that back: the rail is asked, and if it does not
 * confirm it in time, somebody has to look.
 */
const CAME_BACK = `
  SELECT $1 AS rail, listed.rail_key, payouts.id AS payout_id, listed.cents - listed.back_cents AS rail_cents,
    payouts.provider_ref, listed.currency AS rail_currency, payouts.amount_cents AS our_cents,
    payouts.currency AS our_currency, payouts.status AS our_status, true AS has_moved,
    CASE payouts.status WHEN 'failed' THEN greatest(listed.cents - listed.back_cents, 0)::bigint END AS lifting_fee_cents,
    NULL::timestamptz AS said_at, 'amount_differs' AS kind, true AS news, listed.back_late AS differs
  FROM listed JOIN payouts ON payouts.rail_key = listed.rail_key AND payouts.provider = $1
    AND (payouts.status = 'paid' OR (${CALLED_PAID})) ${UNLISTED}
  WHERE listed.back_cents > ${PULLED_BACK}`;

/**
 * It is named by the youngest reference that is not the payout's own. Returned money counts for a payout that is not paid. For one that is, or
 * was called so, it is separate news, except for calls that were pulled back. A payout that waits because of money that nobody here sent is
 * named even after all of it came back: somebody has to say so.
 */
const compare = (codes: string): string => `
  WITH listed AS (${listed(codes)}), moved AS (
    SELECT listed.rail_key, listed.currency, listed.refs, listed.out_at, payouts.id,
      listed.late AND listed.cents > listed.back_cents AS late, listed.cents + ${UNLISTED_CENTS}
      - CASE WHEN payouts.id IS NULL OR (${NOT_PAID} AND (${CALLED_PAID}) IS NOT TRUE) THEN listed.back_cents ELSE ${PULLED_BACK} END AS cents
    FROM listed LEFT JOIN LATERAL (
      SELECT * FROM payouts WHERE payouts.rail_key = listed.rail_key AND payouts.provider = $1
      ORDER BY submitted_at IS NULL, superseded_by IS NOT NULL, id DESC LIMIT 1
    ) AS payouts ON true ${UNLISTED}
  )
  SELECT $1 AS rail, moved.rail_key, payouts.id AS payout_id, greatest(moved.cents, 0)::bigint AS rail_cents,
    (SELECT ref FROM unnest(refs) WITH ORDINALITY AS one (ref, place) WHERE ref IS NOT NULL
      ORDER BY ref IS NOT DISTINCT FROM payouts.provider_ref, place LIMIT 1) AS provider_ref,
    moved.currency AS rail_currency, payouts.amount_cents AS our_cents, payouts.currency AS our_currency,
    payouts.status AS our_status, true AS has_moved,
    NULL::bigint AS lifting_fee_cents, CASE WHEN moved.cents > 0 THEN moved.out_at END AS said_at,
    CASE WHEN payouts.id IS NULL THEN 'unknown_here' WHEN differs.yes AND moved.cents > 0 THEN 'amount_differs' ELSE 'not_paid_here' END AS kind,
    coalesce(NOT differs.yes AND ${MAY_GO_ON}, false) AS news,
    coalesce(payouts.status <> 'submitted' OR differs.yes OR (late AND payouts.accepted_attempt IS NULL), true) AS differs
  FROM moved LEFT JOIN payouts USING (id)
  CROSS JOIN LATERAL (SELECT payouts.amount_cents <> moved.cents OR payouts.currency <> moved.currency AS yes) AS differs
  WHERE (moved.cents > 0 AND (payouts.id IS NULL OR differs.yes OR ${NOT_PAID} OR payouts.status = 'submitted')) OR (${SENT_BEFORE})
  UNION ALL ${CAME_BACK}`;

const THESE = 'SELECT unnest($2::text[]) AS rail_key';
/** These codes alone: whoever asks about one payout does not go through all that its rail listed lately. */
export const COMPARE_THESE = compare(THESE);
/** Codes that are to be gone through even if the rail lists nothing of them now. */
export const COMPARE_TOO = `${MAYBE_LATE} UNION ${MOVED_BEFORE}`;

/**
 * A payout that came back is listed as out once more, unless a call before that is on its way back and not listed as that yet. While its
 * rail tells nothing, nobody knows which.
 */
export const MAY_BE_OUT = `
  WITH listed AS (${listed('SELECT rail_key FROM payouts WHERE id = $2')})
  SELECT FROM listed JOIN payouts ON payouts.id = $2 AND payouts.status = 'returned' ${UNLISTED}
  WHERE listed.cents + ${UNLISTED_CENTS} - ${pulledBack('true')} > payouts.amount_cents`;

/** Under the code of a payout, by rails that are not its own, less what came back: named as by its own. Rail by rail, as the index is. */
export const ELSEWHERE = `
  SELECT moved.rail, moved.rail_key, payouts.id AS payout_id,
    (${REFERENCES} FILTER (WHERE moved.provider_ref IS NOT NULL))[1] AS provider_ref,
    greatest(${OUT_LESS_BACK}, 0) AS rail_cents, moved.currency AS rail_currency, payouts.amount_cents AS our_cents,
    payouts.currency AS our_currency, payouts.status AS our_status, true AS has_moved, NULL::bigint AS lifting_fee_cents,
    CASE WHEN ${OUT_LESS_BACK} > 0 THEN max(moved.listed_at) FILTER (WHERE moved.direction = 'out') END AS said_at,
    CASE WHEN ${OUT_LESS_BACK} <= 0 OR (${OUT_LESS_BACK} = payouts.amount_cents AND moved.currency = payouts.currency)
      THEN 'not_paid_here' ELSE 'amount_differs' END AS kind
  FROM payouts CROSS JOIN rail_scans
  CROSS JOIN LATERAL (${markedIfOut('rail_movements AS moved WHERE rail = rail_scans.rail AND rail_key = payouts.rail_key')}) AS moved
  WHERE payouts.id = $1 AND rail_scans.rail IS DISTINCT FROM payouts.provider
  GROUP BY payouts.id, moved.rail, moved.rail_key, moved.currency HAVING ${OUT_LESS_BACK} > 0 OR (
    SELECT true FROM payouts AS sent WHERE sent.rail_key = moved.rail_key AND sent.provider = moved.rail
      AND sent.submitted_at IS NOT NULL LIMIT 1) IS NULL`;

/** All that was ever listed under the code came back, and what was told of the payout is not among it. */
export const ONLY_PULLED_BACK = `unlisted.yes AND (
  SELECT ${OUT_LESS_BACK} FROM rail_movements AS moved WHERE moved.rail = $1 AND moved.rail_key = payouts.rail_key) <= 0`;

/**
 * As rows, whose number the planner does not know: so they are looked up in a hash, however many they are, and also by a plan that was made
 * for all values. An array would be gone through from its beginning for each payout.
 */
export const codesIn = (value: string): string =>
  `(SELECT unnest(codes) FROM (SELECT ${value}::text[] AS codes OFFSET 0) AS list)`;
