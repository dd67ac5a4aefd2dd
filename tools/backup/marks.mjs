// What makes a restored database safe to be worked on, and quick.
import { ask, isOurs } from './facts.mjs';

/**
 * Rails that payouts went over, or could have gone over since: they were in a route, or a service spoke to their provider, and a route may have led
 * there later. Tests wait for the rail for tests by themselves.
 */
export const USED_RAILS = `
  SELECT rail FROM (
    SELECT provider AS rail FROM payouts WHERE submitted_at IS NOT NULL
    UNION SELECT unnest(rails) FROM routes UNION SELECT rail FROM rail_accounts
  ) AS used WHERE rail <> 'mock'`;

/**
 * Rows that rails paid after the backup could leave again with others, or by another rail: the marks keep them back until the lists of all
 * rails are compared, and until an operator has compared with those that list nothing. Which those are only a service knows, so a rail whose
 * list was never read is marked as one that begins with its first payout: if it lists after all, no movement is left out. An
 * earlier version has no column for that. They are set before a service can start on it, because a restore may be cut off.
 */
const LISTS = `
  ALTER TABLE rail_scans ADD COLUMN IF NOT EXISTS restored_at timestamptz;
  INSERT INTO rail_scans (rail, scanned_until)
  SELECT rail, coalesce((SELECT min(submitted_at) FROM payouts WHERE provider = rail), (SELECT max(created_at) FROM payouts),
    (SELECT max(created_at) FROM disbursements), now())
  FROM (${USED_RAILS}) AS used ON CONFLICT (rail) DO NOTHING;
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

/**
 * Receivers leave aside what is not above the highest `sequence` that they heard of a payout, and in the time that was lost they heard higher
 * ones than the backup has. The seconds since 2026 rise also if the next backup is older than this restore; no payout takes a step in each of them. So
 * the number is never far ahead of the time, least of all if nothing was told since the last one. An earlier version has no table for that.
 */
const EVENTS = `
  CREATE TABLE IF NOT EXISTS restores (sequence_from integer PRIMARY KEY, restored_at timestamptz NOT NULL DEFAULT now());
  INSERT INTO restores (sequence_from)
  SELECT greatest(coalesce(last.number, 0) + CASE WHEN EXISTS (SELECT FROM events WHERE sequence > last.number) THEN 1000 ELSE 60 END,
    floor(extract(epoch FROM now() - timestamptz '2026-01-01 00:00Z'))::int)
  FROM (SELECT max(sequence_from) AS number FROM restores) AS last;
`;

export const MARKS = LISTS + WAYS + EVENTS;

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
