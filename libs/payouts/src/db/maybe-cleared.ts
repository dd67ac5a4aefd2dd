/**
 * What clients let go on by itself, of very many: from one payee to the next along an index, and of each no more is read than is answered. $1
 * and $6: clients, and the payee who had the last turn of each; $2: how many payees, and $4: payouts of each; $3: the cap of clients that have
 * none; $5: the rails that pay to an address.
 */
import { mayLeave, NOT_ASKED_FOR } from './held-for';

/** As the index has it, and compared as a row: no other index can be taken for it. */
const PLACE = `payouts.client_id, split_part(payouts.status_reason, ':', 1), payouts.payee_id, right(payouts.id::text, 8)`;
const HELD = `SELECT payouts.* FROM payouts WHERE status = 'held' AND superseded_by IS NULL AND (${PLACE})`;
/** Behind each tail of an id, which are hexadecimal. */
const BEHIND_ALL = `'g'`;
const BEFORE_ALL_PAYEES = `lpad('', 32, '0')::uuid`;

/** Each client's payees, those after the last one first, and then, `again`, the others: once around. */
const TURNS = `
  turn AS ((
    SELECT clients.id AS client_id, last, 0 AS nth, last IS NULL AS again, coalesce(last, ${BEFORE_ALL_PAYEES}) AS payee_id,
      ARRAY(SELECT unnest(auto_release) EXCEPT VALUES ('below_min_payout'), ('insufficient_funds')) AS causes
    FROM clients LEFT JOIN unnest($1::uuid[], $6::uuid[]) AS before (client_id, last) ON before.client_id = clients.id
    WHERE clients.status = 'active' AND auto_release <> '{}' ORDER BY random()
  ) UNION ALL
    SELECT turn.client_id, turn.last, turn.nth + 1, next.again, next.payee_id, turn.causes
    FROM turn CROSS JOIN LATERAL (
      SELECT place.again, first.payee_id FROM unnest(turn.causes) AS cause (reason)
      CROSS JOIN (VALUES
        (turn.again, turn.payee_id), (true, CASE WHEN NOT turn.again THEN ${BEFORE_ALL_PAYEES} END)
      ) AS place (again, after)
      CROSS JOIN LATERAL (
        ${HELD} > (turn.client_id, cause.reason, place.after, ${BEHIND_ALL}) ORDER BY ${PLACE} LIMIT 1
      ) AS first
      WHERE first.client_id = turn.client_id AND split_part(first.status_reason, ':', 1) = cause.reason
      ORDER BY 1, 2 LIMIT 1
    ) AS next WHERE NOT next.again OR turn.last IS NULL OR next.payee_id <= turn.last
  )`;

/** As far as rows show it, what held them is over. */
const CAUSE_IS_OVER = `
  CASE cause.reason
    WHEN 'missing_email' THEN payees.email IS NOT NULL
    WHEN 'missing_name' THEN payees.name IS NOT NULL
    WHEN 'missing_country' THEN payees.country IS NOT NULL
    WHEN 'not_payable' THEN payees.payable
    WHEN 'rail_not_allowed' THEN clients.rail_allow_list IS NULL OR payees.provider IS NULL OR payees.provider = ANY(clients.rail_allow_list)
    WHEN 'cap_exceeded_single' THEN payouts.amount_cents <= coalesce((clients.caps ->> 'singleCents')::bigint, $3::bigint)
    ELSE true END`;

/** Of one payee and one cause, as many as are answered: by chance, from a tail on, and then around. */
const SOME_HELD = `
  SELECT payouts.* FROM (VALUES (turn.tail, ${BEHIND_ALL}), ('', turn.tail)) AS part (since, until)
  CROSS JOIN LATERAL (
    ${HELD} >= (turn.client_id, cause.reason, turn.payee_id, since)
      AND (${PLACE}) < (turn.client_id, cause.reason, turn.payee_id, until)
    ORDER BY ${PLACE} LIMIT $4
  ) AS payouts LIMIT $4`;

/**
 * A few of each payee, one of each cause first, picked at random: those that stay held must not keep others back. Forty times as many payees
 * are looked at as are answered. The last one of each client that was looked at is answered without a payout, if it has none: the client's next
 * look begins there, however many of another client are answered each time. The gates decide whatever the rows do not show.
 */
export const MAYBE_CLEARED = `
  WITH RECURSIVE ${TURNS}, looked AS MATERIALIZED (
    SELECT *, right(gen_random_uuid()::text, 8) AS tail FROM turn WHERE nth > 0 LIMIT 40 * $2::int
  ), chosen AS MATERIALIZED (
    SELECT turn.client_id, turn.payee_id, turn.nth, few.* FROM looked AS turn CROSS JOIN LATERAL (
      SELECT array_agg(id ORDER BY created_at, id) AS ids, count(*)::int AS size FROM (
        SELECT payouts.id, payouts.created_at
        FROM clients JOIN payees ON payees.id = turn.payee_id CROSS JOIN unnest(turn.causes) AS cause (reason)
        CROSS JOIN LATERAL (${SOME_HELD}) AS payouts
        WHERE clients.id = turn.client_id AND ${mayLeave('$5')} AND ${NOT_ASKED_FOR} AND ${CAUSE_IS_OVER}
        ORDER BY row_number() OVER (PARTITION BY cause.reason ORDER BY random()) LIMIT $4
      ) AS held
    ) AS few WHERE few.size > 0 LIMIT $2
  ), furthest AS (
    SELECT DISTINCT ON (client_id) client_id, payee_id, nth FROM looked
    WHERE (SELECT max(nth) FROM chosen HAVING count(*) >= $2) <= nth IS NOT TRUE ORDER BY client_id, nth DESC
  )
  SELECT client_id, payee_id, coalesce(ids, '{}') AS ids, coalesce(size, 0) AS size
  FROM chosen FULL JOIN furthest USING (client_id, payee_id, nth) ORDER BY nth, random()`;
