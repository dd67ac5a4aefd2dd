/** Rails that a restored database was not compared with yet. Rows may have gone by any of them in the time that was lost (ADR 106). */

export interface AwaitedRail {
  rail: string;
  restoredAt: Date;
}

/**
 * A comparison of ten minutes after the restore ends it, also one by older code that knows nothing of restores: what was sent right before the
 * service stopped may be in no list yet.
 */
export const IS_AWAITED = `scanned_until < restored_at + interval '10 minutes'`;

/** Of a row of `rail_scans`: how far the list that was read least was compared with, as long as more than one is waited for. */
export const COMPARED_UNTIL = `least(rail_scans.scanned_until,
  (SELECT min(scanned_until) FROM scans_of_accounts AS of_before WHERE of_before.rail = rail_scans.rail AND ${IS_AWAITED}))`;

/** A rail that is bound to another account since is waited for twice: what the one of before moved in that time is in its own list alone. */
export const AWAITED = `SELECT rail, restored_at FROM rail_scans WHERE ${IS_AWAITED}
  UNION ALL SELECT rail, restored_at FROM scans_of_accounts WHERE ${IS_AWAITED}`;
