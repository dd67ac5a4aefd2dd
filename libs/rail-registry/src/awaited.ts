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
