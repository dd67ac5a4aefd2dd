// What makes a restored database safe to be worked on, and quick.
import { ask, isOurs } from './facts.mjs';

/**
 * Rows that rails paid after the backup could leave again with others, or by another rail: the marks keep them back until the lists of all
 * rails are compared. An earlier version has no column for that. They are set before a service can start on it, because a restore may be cut off.
 */
const LISTS = `
  ALTER TABLE rail_scans ADD COLUMN IF NOT EXISTS restored_at timestamptz;
  UPDATE rail_scans SET restored_at = now(), scanned_until = least(scanned_until, now() - interval '11 minutes');
`;

/**
 * What was on its way may have been refused since, and tried again: the name that its rail has for it now is no second payment. Its rail may ask
 * again for a call that it asked for before; under its old key that moves nothing twice. Versions without legs know no such calls.
 */
const WAYS = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'payouts'::regclass AND attname = 'legs' AND NOT attisdropped) THEN
      UPDATE payouts SET provider_ref = NULL, legs = coalesce((
        SELECT jsonb_agg(CASE WHEN place < jsonb_array_length(legs) THEN leg || '{"over": true}' ELSE leg END ORDER BY place)
        FROM jsonb_array_elements(legs) WITH ORDINALITY AS one (leg, place)), '[]')
      WHERE status = 'submitted';
    END IF;
  END $$;
`;

export const MARKS = LISTS + WAYS;

/** All of them or none: several statements that are sent at once are one transaction. */
export async function mark(url) {
  if (!(await isOurs(url))) throw new Error('What is to be restored is not a database of this service.');
  await ask(url, MARKS);
}

/** PostgreSQL plans by statistics, which a dump lacks and a copy may have outdated. Reading them takes a while, so the marks come first. */
export async function readStatistics(url) {
  try {
    await ask(url, 'ANALYZE');
  } catch (error) {
    throw new Error(
      `The database is restored and marked, but it will be slow until you run ANALYZE on it. ${error.message}`,
    );
  }
}
