/** Counters of requests and used signatures, in Postgres so that all processes agree. */
import { Injectable } from '@nestjs/common';
import { COMMITS_WITHOUT_DISK, Db } from '#libs/db';

export interface Admission {
  clientId: string;
  limitPerMinute: number;
  /** The fingerprints that make each of this request's signatures unique, two at most; none if replays are harmless. */
  fingerprints: Buffer[];
  /** Of a signature that is used up wherever it may come again, and may have come before. */
  spends?: Buffer | null;
  /** Of a signature that is good unless one of the former kind used it up. */
  unlessSpent?: Buffer | null;
  /** Seconds after which the signature is stale anyway. */
  keepSeconds: number;
}

export interface Verdict {
  outcome: 'admitted' | 'rate_limited' | 'replayed';
  /** Until the minute is over and the client's requests count again. */
  resetSeconds: number;
  /** Of one past the limit: no process may give back what it took ahead of this minute. */
  final: boolean;
}

/** The share that a process takes of a client's minute before anybody asks for it. */
export interface Portion {
  minute: number;
  /** From the statement on, until the minute is over. */
  leftMs: number;
}

@Injectable()
export class AdmissionStore {
  constructor(private readonly db: Db) {}

  async admitAll(admissions: Admission[]): Promise<Verdict[]> {
    const rows = await this.db.rows<Verdict & { place: number }>(ADMIT, [
      admissions.map(({ clientId }) => clientId),
      admissions.map(({ limitPerMinute }) => limitPerMinute),
      admissions.map(({ fingerprints }) => fingerprints[0] ?? null),
      admissions.map(({ fingerprints }) => fingerprints[1] ?? null),
      admissions.map(({ keepSeconds }) => keepSeconds),
      admissions.map(({ spends }) => spends ?? null),
      admissions.map(({ unlessSpent }) => unlessSpent ?? null),
    ]);
    const verdicts = new Map(rows.map((verdict) => [verdict.place, verdict]));
    return admissions.map((_, index) => verdicts.get(index + 1) as Verdict);
  }

  /** null where less than that is left before the last fifth of the minute's requests: those are counted one by one. */
  takeAhead(clientId: string, size: number, limitPerMinute: number): Promise<Portion | null> {
    return this.db.row<Portion>(TAKE_AHEAD, [clientId, size, Math.floor(limitPerMinute * COUNTED_AHEAD)]);
  }

  /** A portion is over: what was left of it is everybody's again. */
  async giveBack(clientId: string, minute: number, portion: { size: number; left: number }): Promise<void> {
    await this.db.execute(GIVE_BACK, [clientId, minute, portion.size, portion.left]);
  }

  async forgetPastMinutes(): Promise<void> {
    await this.db.execute(`DELETE FROM rate_windows WHERE minute < floor(extract(epoch FROM now()) / 60)::bigint - 1`);
  }

  /** Up to so many: no statement is long. Returns how many there were. */
  forgetExpired(most: number): Promise<number> {
    return this.db.execute(
      `DELETE FROM used_signatures WHERE (client_id, fingerprint) IN
         (SELECT client_id, fingerprint FROM used_signatures WHERE expires_at < now() ORDER BY expires_at LIMIT $1)`,
      [most],
    );
  }
}

/** Of a client's limit. */
const COUNTED_AHEAD = 0.8;

/**
 * The counter goes up by each client's number of requests; those past the limit are refused, count for nothing and leave no mark.
 * So what was taken ahead and comes back is there for whoever asks next. A request
 * marks all of its signatures, and is admitted when none of them was marked before. Of equal signatures in one batch the
 * first is the one that may win. What a request spends beside them may have been spent before, and keeps out whoever comes
 * later and is good only unless it was spent: by anybody who counted before, however short a while ago. Rows are touched in order, so that batches cannot deadlock.
 *
 * Nobody waits until the marks are on the disk: what a request changes is committed after its mark, and PostgreSQL writes both to one
 * log, in that order. So after a crash no change is there without the mark that let it in.
 */
const ADMIT = `
  WITH asked AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY client_id ORDER BY place) AS nth
    FROM unnest($1::uuid[], $2::int[], $3::bytea[], $4::bytea[], $5::float8[], $6::bytea[], $7::bytea[])
      WITH ORDINALITY AS t (client_id, most, first, second, keep, spends, unless_spent, place)
  ), counted AS (
    INSERT INTO rate_windows AS window_row (client_id, minute, requests)
    SELECT client_id, floor(extract(epoch FROM clock_timestamp()) / 60)::bigint, least(count(*), max(most))
    FROM asked GROUP BY client_id ORDER BY client_id
    ON CONFLICT (client_id, minute) DO UPDATE SET
      counted_before = window_row.requests,
      requests = greatest(window_row.requests, least(window_row.requests + excluded.requests,
        (SELECT max(most) FROM asked WHERE asked.client_id = excluded.client_id)))
    RETURNING client_id, counted_before, minute, ahead
  ), within AS MATERIALIZED (
    SELECT asked.*, counted.minute, counted.ahead, asked.nth + counted.counted_before <= asked.most AS admitted,
      asked.unless_spent IS NOT NULL AND is_spent(asked.client_id, asked.unless_spent) AS spent
    FROM asked JOIN counted USING (client_id)
  ), prints AS MATERIALIZED (
    SELECT client_id, place, keep, fingerprint, once,
      row_number() OVER (PARTITION BY client_id, fingerprint ORDER BY place) AS copy
    FROM within CROSS JOIN LATERAL (VALUES (first, true), (second, true), (spends, false)) AS print (fingerprint, once)
    WHERE admitted AND NOT spent AND fingerprint IS NOT NULL
  ), marked AS (
    INSERT INTO used_signatures (client_id, fingerprint, expires_at)
    SELECT client_id, fingerprint, now() + keep * interval '1 second' FROM prints WHERE copy = 1
    ORDER BY client_id, fingerprint
    ON CONFLICT DO NOTHING RETURNING client_id, fingerprint, expires_at
  ), used_up AS (
    SELECT place FROM prints LEFT JOIN marked USING (client_id, fingerprint) WHERE once
    GROUP BY place HAVING bool_and(copy = 1 AND marked.expires_at IS NOT NULL)
  ), spent_just_now AS (
    SELECT within.place FROM within JOIN prints AS before ON before.client_id = within.client_id
      AND before.fingerprint = within.unless_spent AND before.place < within.place
  )
  SELECT within.place::int AS place,
    ${COMMITS_WITHOUT_DISK} AS waits_for_disk, -- for its effect: nobody reads it
    within.ahead = 0 AS final,
    greatest(ceil((within.minute + 1) * 60 - extract(epoch FROM clock_timestamp())), 1)::int AS reset_seconds,
    CASE
      WHEN NOT within.admitted THEN 'rate_limited'
      WHEN within.spent OR within.place IN (SELECT place FROM spent_just_now) THEN 'replayed'
      WHEN within.first IS NULL AND within.second IS NULL THEN 'admitted'
      WHEN used_up.place IS NOT NULL THEN 'admitted'
      ELSE 'replayed' END AS outcome
  FROM within LEFT JOIN used_up ON used_up.place = within.place`;

/** It tells how long the minute goes on after it was asked, so whoever asked before that uses nothing of it later. */
const TAKE_AHEAD = `
  UPDATE rate_windows SET requests = requests + $2::int, ahead = ahead + $2::int
  WHERE client_id = $1 AND minute = floor(extract(epoch FROM now()) / 60)::bigint AND requests + $2::int <= $3::int
  RETURNING minute::int, ((minute + 1) * 60 - extract(epoch FROM clock_timestamp()))::float8 * 1000 AS left_ms`;

/** If PostgreSQL forgot the minute meanwhile, there is nothing to give back to. */
const GIVE_BACK = `
  UPDATE rate_windows SET requests = requests - $4::int, ahead = ahead - $3::int
  WHERE client_id = $1 AND minute = $2::bigint AND ahead >= $3::int AND requests >= $4::int`;
