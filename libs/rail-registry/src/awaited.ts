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

/** A list that was not read since the database was restored: by a comparison, or by an operator. */
export interface AwaitedList {
  rail: string;
  /** Of an account of before: callers ask again until then for what it may have paid, and the one of now never heard of those codes. */
  askedAgainUntil: string | null;
}

/** A rail that is bound to another account since is waited for twice: what the one of before moved in that time is in its own list alone. */
export const AWAITED = `SELECT rail, restored_at, NULL::timestamptz AS "askedAgainUntil" FROM rail_scans WHERE ${IS_AWAITED}
  UNION ALL SELECT rail, restored_at, restored_at + interval '1 day' FROM scans_of_accounts WHERE ${IS_AWAITED}`;
