/** Which kinds of jobs are due, and which jobs a claim takes: fairly over lanes, and over the owners in each. */
import { COMMITS_WITHOUT_DISK } from '#libs/db';

/** So many of an owner's jobs a claim looks at for some that nobody holds: whoever holds all of a client's holds as many as it has. */
const LOOKED_AT = 250;

/** Each owner's first job of a kind. It hops along the index, so an owner with a million jobs costs no more than one with ten. */
const ownersOf = (name: string): string => `owners AS (
    (SELECT lane, owner, run_at FROM jobs WHERE name = ${name} ORDER BY lane, owner, run_at LIMIT 1)
    UNION ALL
    SELECT next.lane, next.owner, next.run_at FROM owners CROSS JOIN LATERAL (
      SELECT lane, owner, run_at FROM jobs WHERE name = ${name} AND (lane, owner) > (owners.lane, owners.owner)
      ORDER BY lane, owner, run_at LIMIT 1
    ) next
  )`;

/** Of each kind it hops no further than to the first that is due. */
export const DUE = `
  SELECT kind FROM unnest($1::text[]) WITH ORDINALITY AS asked (kind, place)
  WHERE EXISTS (WITH RECURSIVE ${ownersOf('asked.kind')} SELECT FROM owners WHERE run_at <= now())
  ORDER BY place`;

/**
 * While there are many lanes with work each has less room, so that one more always finds some; and who has least under way comes first. In
 * a lane it is the same with owners, and chance decides between equals: nobody can be older than everybody else for ever.
 * The last places of a lane are kept for owners that have none in it. An owner that has more than its part, as one that came before other
 * lanes did, or by others' tickets, takes none of these, and whoever they are kept for comes before other lanes, which have less for it. What
 * is taken beyond all places is of a lane that has none, or of an owner that has none in such a lane.
 * A claim that a crash of PostgreSQL takes back is one more: whoever had it finds its lease gone.
 */
export const CLAIM = `
  WITH RECURSIVE ${ownersOf('$1')}, busy AS (
    SELECT lane, owner, count(*) AS running FROM unnest($4::text[], $5::text[]) AS place (lane, owner) GROUP BY lane, owner
  ), lanes AS (
    SELECT lane, places, least(greatest(places / 6, 1), places - 1) AS kept FROM (
      SELECT lane,
        least($3::int, CASE WHEN count(*) OVER () > 1 THEN greatest($7::int / (count(*) OVER () + 1), 1) ELSE $3::int END) AS places
      FROM owners GROUP BY lane HAVING min(run_at) <= now() OR lane IN (SELECT lane FROM busy)
    ) sized
  ), room AS (
    SELECT *, greatest(places - counted, 0) AS free FROM (
      SELECT lane, places, kept, coalesce(sum(running), 0) AS running,
        coalesce(sum(CASE WHEN owner <> '' THEN least(running, places - kept) ELSE running END), 0) AS counted
      FROM lanes LEFT JOIN busy USING (lane) GROUP BY lane, places, kept
    ) summed
  ), heads AS (
    SELECT room.*, owner, coalesce(busy.running, 0) AS owned,
      row_number() OVER (PARTITION BY lane ORDER BY coalesce(busy.running, 0), random()) AS turn
    FROM room JOIN owners USING (lane) LEFT JOIN busy USING (lane, owner)
    WHERE owners.run_at <= now()
      AND (cardinality($4) < $7::int OR room.running = 0 OR (room.running > places AND busy.running IS NULL))
  ), taken AS (
    SELECT waiting.*, heads.lane, heads.owner, heads.free, heads.kept, heads.counted, heads.running > heads.places AS is_over, heads.turn,
      heads.owned + row_number() OVER (PARTITION BY heads.lane, heads.owner ORDER BY waiting.run_at) AS place
    FROM heads CROSS JOIN LATERAL (
      SELECT jobs.name, jobs.entity_id, jobs.run_at, jobs.lease_token FROM (
        SELECT name, entity_id, run_at FROM jobs
        WHERE name = $1 AND lane = heads.lane AND owner = heads.owner AND run_at <= now()
        ORDER BY run_at LIMIT ${LOOKED_AT}
      ) first JOIN jobs ON jobs.name = first.name AND jobs.entity_id = first.entity_id AND jobs.run_at <= now()
      ORDER BY first.run_at LIMIT heads.free FOR UPDATE OF jobs SKIP LOCKED
    ) waiting
    WHERE heads.turn <= heads.free
  ), due AS (
    SELECT name, entity_id, lease_token IS NOT NULL AS lapsed FROM (
      SELECT *, row_number() OVER (PARTITION BY lane ORDER BY place, turn) AS nth FROM taken
    ) ranked
    WHERE nth <= CASE WHEN place = 1 OR owner = '' THEN free ELSE free - kept END ORDER BY NOT is_over, counted + nth, random() LIMIT $2
  )
  UPDATE jobs SET
    lease_token = gen_random_uuid(),
    run_at = now() + $6::float8 * interval '1 second',
    attempts = attempts + 1
  FROM due WHERE jobs.name = due.name AND jobs.entity_id = due.entity_id
  RETURNING jobs.name, jobs.entity_id, jobs.lane, jobs.owner, jobs.version, jobs.attempts, jobs.lease_token,
    jobs.created_at, due.lapsed, ${COMMITS_WITHOUT_DISK} AS waits_for_disk`;
