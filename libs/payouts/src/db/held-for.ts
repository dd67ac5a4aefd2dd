/** How what is held is found, and locked: in the order of ids, so that nobody waits in a circle; answered oldest first. */
import { redirected } from '#libs/payees';
import { TEST_HOLD } from '#libs/payout-rules';
import { SELECT_PAYOUT } from './payout.reads';

/** Written as the indexes on held payouts are. */
const CODE = `split_part(payouts.status_reason, ':', 1)`;
export const HELD_FOR = `payouts.status = 'held' AND ${CODE}`;

/** Nothing goes on by itself for a client that is suspended or closed. */
export const OF_ACTIVE = `payouts.client_id IN (SELECT id FROM clients WHERE status = 'active')`;

/** `waitsForTest` has it too: however many a test holds, no sweep looks at them. */
export const NOT_FOR_TEST = `(payouts.test_mode AND payouts.reason = '${TEST_HOLD.before}' || ${CODE}
  AND payouts.status_reason = ${CODE} || '${TEST_HOLD.after}') IS NOT TRUE`;

/** Nor does what cools down leave, as `PayoutGates.isCooling` has it; in a statement on payouts with their payees and clients. */
export const mayLeave = (railsByAddress: string): string => `
  NOT (payouts.submitted_at IS NULL AND (payouts.consolidates OR payouts.created_at < payees.email_changed_at)
    AND ${redirected(railsByAddress)}) AND ${NOT_FOR_TEST}`;
export const WITH_PAYEES =
  'payouts JOIN payees ON payees.id = payouts.payee_id JOIN clients ON clients.id = payouts.client_id';

/** So many are looked at before another cause has its turn, and then the rest (`SelfReleaseJobs`). */
export const GROUPS_AT_A_TIME = 500;
/** In no order of age: what stays as it is must not keep back the others of its client, nor of any other. */
export const oneOfEachClient = (clientId: string): string =>
  `ORDER BY row_number() OVER (PARTITION BY ${clientId} ORDER BY random()), random()`;

/** Those of these ids that are held for that by the time they are had. Written so that no index of what is held is gone through instead of their ids. */
export const locking = (reason: string, ids: string, held = ''): string => `
  WITH locked AS (
    ${SELECT_PAYOUT}
    WHERE payouts.id = ANY(${ids})
      AND payouts.status || '' = 'held' AND split_part(payouts.status_reason, ':', 1) = ${reason}
    ORDER BY payouts.id FOR NO KEY UPDATE OF payouts ${held}
  )
  SELECT * FROM locked ORDER BY created_at, id`;

/** After the payout of this id, in the order of age. */
export const after = (id: string): string =>
  `(${id}::uuid IS NULL OR (payouts.created_at, payouts.id) > (SELECT created_at, id FROM payouts WHERE id = ${id}))`;

/** Its rail is to be asked first, and a job does that soon. Meanwhile it keeps none back that come after it. One look for each, however many. */
export const NOT_ASKED_FOR = `(SELECT true FROM jobs
  WHERE name = 'payout.retry' AND entity_id = payouts.id AND run_at <= now() + interval '5 minutes' LIMIT 1) IS NULL`;
