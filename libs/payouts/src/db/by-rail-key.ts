/** How payouts are found by the code that their rail knows them by. */

/**
 * Asked for every new payout, and so by the one column that a single index begins with: in a young database, of which no
 * statistics are known, a search by client and key may be planned as a walk through all payouts of the client.
 */
export const USED_RAIL_KEYS = `
  SELECT found.rail_key FROM unnest($1::text[]) AS wanted (rail_key)
  CROSS JOIN LATERAL (SELECT rail_key FROM payouts WHERE payouts.rail_key = wanted.rail_key LIMIT 1) AS found`;

export const OF_RAIL_KEYS = `
  SELECT found.* FROM unnest($2::text[]) AS wanted (rail_key)
  CROSS JOIN LATERAL (
    SELECT id, provider, client_id FROM payouts WHERE payouts.rail_key = wanted.rail_key AND provider = $1
    ORDER BY submitted_at IS NULL, superseded_by IS NOT NULL LIMIT 1
  ) AS found
  ORDER BY found.id`;
