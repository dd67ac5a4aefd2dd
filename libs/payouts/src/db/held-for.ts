/** How what is held is found, and locked: in the order of ids, so that nobody waits in a circle; answered oldest first. */
import { SELECT_PAYOUT } from './payout.reads';

/** Written as the indexes on held payouts are. */
export const HELD_FOR = `status = 'held' AND split_part(status_reason, ':', 1)`;

/** Nothing goes on by itself for a client that is suspended or closed. */
export const OF_ACTIVE = `client_id IN (SELECT id FROM clients WHERE status = 'active')`;

/** Those of these ids that are held for that by the time they are had. */
export const locking = (reason: string, ids: string): string => `
  WITH locked AS (
    ${SELECT_PAYOUT}
    WHERE payouts.id = ANY(${ids})
      AND payouts.status = 'held' AND split_part(payouts.status_reason, ':', 1) = ${reason}
    ORDER BY payouts.id FOR NO KEY UPDATE OF payouts
  )
  SELECT * FROM locked ORDER BY created_at, id`;

/** After the payout of this id, in the order of age. */
export const after = (id: string): string =>
  `(${id}::uuid IS NULL OR (created_at, id) > (SELECT created_at, id FROM payouts WHERE id = ${id}))`;
