/** Which account is asked about next: rails apart, payable accounts ($5) apart from the others, and clients in turn. */

/** Within a day, and not all at the hour at which they were all adopted, or at which their rail came back. */
const WITHIN_A_DAY = `(interval '1 day' - random() * interval '4 hours')`;

/** A payable account is read once a day; another soon, and less often the longer it has been so. */
export const NEXT_QUESTION = `now() + CASE WHEN methods.payable THEN ${WITHIN_A_DAY}
  ELSE least(greatest((now() - methods.standing_since) / 8, interval '45 seconds'), interval '4 hours') END`;

/** The same of one that stands as it does since just now; `payable` is what it is from now on. */
export const firstQuestion = (payable: string): string =>
  `now() + CASE WHEN ${payable} THEN ${WITHIN_A_DAY} ELSE interval '45 seconds' END`;

/**
 * Hops from client to client along the index: one with a million accounts costs no more than one with ten, and has no more
 * places than its turn. Whatever their rail, accounts of test clients are read from one of their own.
 */
export const DUE = `
  WITH RECURSIVE owners AS (
    (SELECT provider, test_mode, payable, client_id FROM methods WHERE status = 'active'
     ORDER BY provider, test_mode, payable, client_id LIMIT 1)
    UNION ALL
    SELECT next.* FROM owners CROSS JOIN LATERAL (
      SELECT provider, test_mode, payable, client_id FROM methods WHERE status = 'active'
        AND (provider, test_mode, payable, client_id) > (owners.provider, owners.test_mode, owners.payable, owners.client_id)
      ORDER BY provider, test_mode, payable, client_id LIMIT 1
    ) next
  ), ranked AS (
    SELECT due.id, due.ask_at, row_number() OVER (PARTITION BY owners.client_id ORDER BY due.ask_at) AS turn
    FROM owners JOIN clients ON clients.id = owners.client_id AND clients.status = 'active'
    CROSS JOIN LATERAL (
      SELECT id, ask_at FROM methods WHERE status = 'active' AND provider = owners.provider
        AND test_mode = owners.test_mode AND payable = owners.payable AND client_id = owners.client_id
        AND (ask_at <= now() OR ($4 AND NOT payable))
      ORDER BY ask_at LIMIT $3
    ) due
    WHERE CASE WHEN owners.test_mode THEN $2 ELSE owners.provider END = $1 AND owners.payable = $5
  )
  SELECT methods.* FROM ranked JOIN methods USING (id) ORDER BY turn, ranked.ask_at LIMIT $3`;
