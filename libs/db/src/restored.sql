-- What makes a database that forgot what it had committed safe to be worked on: one that was restored, and one that was promoted. A backup may be
-- of an earlier version, so each part looks whether there is what it is about. All of it, or nothing.
DO $restored$
BEGIN
  -- Rows that rails paid in the time that was lost could leave again with others, or by another rail: the marks keep them back until the lists of
  -- all rails are compared, and until an operator has compared with those that list nothing. Which those are only a service knows, so a rail whose
  -- list was never read is marked as one that begins with its first payout: if it lists after all, no movement is left out. Rails that payouts
  -- went over are marked, and those that they could have gone over since: they were in a route, or a service spoke to their provider, and a route
  -- may have led there later. Tests wait for the rail for tests by themselves.
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'rail_scans'::regclass AND attname = 'restored_at' AND NOT attisdropped) THEN
    ALTER TABLE rail_scans ADD COLUMN restored_at timestamptz;
  END IF;
  INSERT INTO rail_scans (rail, scanned_until)
  SELECT rail, coalesce((SELECT min(submitted_at) FROM payouts WHERE provider = rail), (SELECT max(created_at) FROM payouts),
    (SELECT max(created_at) FROM disbursements), now())
  FROM (
    SELECT provider AS rail FROM payouts WHERE submitted_at IS NOT NULL
    UNION SELECT unnest(rails) FROM routes UNION SELECT rail FROM rail_accounts
  ) AS used WHERE rail <> 'mock' ON CONFLICT (rail) DO NOTHING;
  UPDATE rail_scans SET restored_at = now(), scanned_until = least(scanned_until, now() - interval '11 minutes');

  -- An account that a rail was bound to of late may have been bound again for a while since.
  IF to_regclass('scans_of_accounts') IS NOT NULL THEN
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'scans_of_accounts'::regclass AND attname = 'restored_at' AND NOT attisdropped) THEN
      ALTER TABLE scans_of_accounts ADD COLUMN restored_at timestamptz;
    END IF;
    UPDATE scans_of_accounts SET restored_at = now(), scanned_until = least(scanned_until, now() - interval '11 minutes')
    WHERE scanned_until > now() - interval '30 days' OR EXISTS (
      SELECT FROM rail_accounts WHERE rail_accounts.rail = scans_of_accounts.rail AND bound_at > now() - interval '30 days');
  END IF;

  -- What was on its way may have been refused since, and tried again: the name that its rail has for it now is no second payment. Its rail may ask
  -- again for a call that it asked for before; under its old key that moves nothing twice. Versions without legs know no such calls.
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'payouts'::regclass AND attname = 'legs' AND NOT attisdropped) THEN
    UPDATE payouts SET provider_ref = NULL, legs = coalesce((
      SELECT jsonb_agg(CASE WHEN place < jsonb_array_length(legs) THEN leg || '{"over": true}' ELSE leg END ORDER BY place)
      FROM jsonb_array_elements(legs) WITH ORDINALITY AS one (leg, place)), '[]')
    WHERE status = 'submitted' AND (provider_ref IS NOT NULL OR legs <> '[]');
  END IF;

  -- Receivers leave aside what is not above the highest `sequence` that they heard of a payout, and in the time that was lost they heard higher
  -- ones than there are here. The seconds since 2026 rise also if the next backup is older than this restore; no payout takes a step in each of
  -- them. So the number is never far ahead of the time, least of all if nothing was told since the last one.
  IF to_regclass('restores') IS NULL THEN
    CREATE TABLE restores (sequence_from integer PRIMARY KEY, restored_at timestamptz NOT NULL DEFAULT now());
  END IF;
  INSERT INTO restores (sequence_from)
  SELECT greatest(coalesce(last.number, 0) + CASE WHEN EXISTS (SELECT FROM events WHERE sequence > last.number) THEN 1000 ELSE 60 END,
    floor(extract(epoch FROM now() - timestamptz '2026-01-01 00:00Z'))::int)
  FROM (SELECT max(sequence_from) AS number FROM restores) AS last;

  -- From here on it is at home where it lies now.
  IF to_regclass('database_place') IS NOT NULL THEN
    UPDATE database_place SET (server, timeline, made_as) = (SELECT * FROM place_now());
  END IF;
END $restored$;
