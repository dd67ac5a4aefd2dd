/** How payouts are found by the code that their rail knows them by. */

/**
 * Asked for every new payout, and so by the one column that a single index begins with: in a young database, of which no
 * statistics are known, a search by client and key may be planned as a walk through all payouts of the client. What moved is
 * looked for rail by rail, as its index is. EXISTS may be planned as a hash of all payouts; what has a limit is looked up key by key.
 * Under a code that no payout has, nothing was sent from here: what came back of it counts as moved too.
 */
export const KNOWN_RAIL_KEYS = `
  SELECT * FROM (
    SELECT rail_key, coalesce((SELECT true FROM payouts WHERE payouts.rail_key = wanted.rail_key LIMIT 1), false) AS is_used,
      coalesce((SELECT true FROM rail_scans JOIN rail_movements USING (rail)
        WHERE rail_movements.rail_key = wanted.rail_key LIMIT 1), false) AS has_moved
    FROM unnest($1::text[]) AS wanted (rail_key) OFFSET 0
  ) AS known WHERE is_used OR has_moved`;

export const OF_RAIL_KEYS = `
  SELECT found.* FROM unnest($2::text[]) AS wanted (rail_key)
  CROSS JOIN LATERAL (
    SELECT id, provider, client_id FROM payouts WHERE payouts.rail_key = wanted.rail_key AND provider = $1
    ORDER BY submitted_at IS NULL, superseded_by IS NOT NULL, id DESC LIMIT 1
  ) AS found
  ORDER BY found.id`;

/**
 * Money that rails list under the code $1, less what came back. If this database never sent it over a rail, it moved before a restore, and
 * the list may be late with what left again: then all of it counts. The view of payouts in dispute does the same.
 */
export const OUT_UNDER_CODE = `
  SELECT FROM rail_scans JOIN rail_movements USING (rail) WHERE rail_movements.rail_key = $1 GROUP BY rail, currency
  HAVING sum(CASE direction WHEN 'out' THEN amount_cents ELSE -amount_cents END) > 0 OR (
    SELECT true FROM payouts AS sent WHERE sent.rail_key = $1 AND sent.provider = rail AND sent.submitted_at IS NOT NULL LIMIT 1) IS NULL`;

/** Money listed for rows of code $1's payee, or for its rows as another's, that no payout here accounts for. The view of disputes does the same. */
export const UNKNOWN_OF_THESE = `
  SELECT FROM (SELECT drift.* FROM rail_scans JOIN drift USING (rail) WHERE rail_key BETWEEN rpad(left($1, 18), 50, '0') AND rpad(left($1, 18), 50, 'f')
    UNION ALL (SELECT * FROM drift WHERE substr(rail_key, 19, 28) = substr($1, 19, 28) OFFSET 0)) AS drift
  WHERE kind = 'unknown_here' AND resolved_at IS NULL
    AND NOT EXISTS (SELECT FROM payouts AS known WHERE known.rail_key = drift.rail_key AND (known.provider = drift.rail
      OR EXISTS (SELECT FROM drift AS named WHERE named.payout_id = known.id AND named.rail = drift.rail)))`;

/** Where a payout went, if an address decides who gets it. A wallet is its payee's, whatever their address is. */
export const AT_ADDRESS = `CASE WHEN custody = 'claim' THEN destination->>'email' END`;
