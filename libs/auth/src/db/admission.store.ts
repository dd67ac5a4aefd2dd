/** Counters of requests and used signatures, in Postgres so that all processes agree. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';

export interface Admission {
  clientId: string;
  limitPerMinute: number;
  /** What makes this request's signature unique; null where replays are harmless. */
  fingerprint: Buffer | null;
  /** Seconds after which the signature is stale anyway. */
  keepSeconds: number;
}

export type Verdict = 'admitted' | 'rate_limited' | 'replayed';

@Injectable()
export class AdmissionStore {
  constructor(private readonly db: Db) {}

  async admitAll(admissions: Admission[]): Promise<Verdict[]> {
    const rows = await this.db.rows<{ place: number; verdict: Verdict }>(ADMIT, [
      admissions.map(({ clientId }) => clientId),
      admissions.map(({ limitPerMinute }) => limitPerMinute),
      admissions.map(({ fingerprint }) => fingerprint),
      admissions.map(({ keepSeconds }) => keepSeconds),
    ]);
    const verdicts = new Map(rows.map(({ place, verdict }) => [place, verdict]));
    return admissions.map((_, index) => verdicts.get(index + 1) as Verdict);
  }

  async useUp(clientId: string, fingerprint: Buffer, keepSeconds: number): Promise<boolean> {
    const marked = await this.db.execute(
      `INSERT INTO used_signatures (client_id, fingerprint, expires_at)
       VALUES ($1, $2, now() + $3::float8 * interval '1 second') ON CONFLICT DO NOTHING`,
      [clientId, fingerprint, keepSeconds],
    );
    return marked > 0;
  }

  async forgetExpired(): Promise<number> {
    await this.db.execute(`DELETE FROM rate_windows WHERE minute < floor(extract(epoch FROM now()) / 60)::bigint - 1`);
    return this.db.execute(
      `DELETE FROM used_signatures WHERE (client_id, fingerprint) IN
         (SELECT client_id, fingerprint FROM used_signatures WHERE expires_at < now() LIMIT 10000)`,
    );
  }
}

/**
 * The counter goes up by each client's number of requests; those past the limit are refused and leave no mark. Of equal
 * fingerprints in one batch the first is the one that may win. Rows are touched in order, so that batches cannot deadlock.
 */
const ADMIT = `
  WITH asked AS MATERIALIZED (
    SELECT client_id, most, fingerprint, keep, place,
      row_number() OVER (PARTITION BY client_id ORDER BY place) AS nth,
      row_number() OVER (PARTITION BY client_id, fingerprint ORDER BY place) AS copy
    FROM unnest($1::uuid[], $2::int[], $3::bytea[], $4::float8[]) WITH ORDINALITY AS t (client_id, most, fingerprint, keep, place)
  ), counted AS (
    INSERT INTO rate_windows AS window_row (client_id, minute, requests)
    SELECT client_id, floor(extract(epoch FROM clock_timestamp()) / 60)::bigint, count(*) FROM asked GROUP BY client_id ORDER BY client_id
    ON CONFLICT (client_id, minute) DO UPDATE SET requests = window_row.requests + excluded.requests
    RETURNING client_id, requests
  ), within AS (
    SELECT asked.*, asked.nth + counted.requests - max(asked.nth) OVER (PARTITION BY asked.client_id) <= asked.most AS admitted
    FROM asked JOIN counted USING (client_id)
  ), marked AS (
    INSERT INTO used_signatures (client_id, fingerprint, expires_at)
    SELECT client_id, fingerprint, now() + keep * interval '1 second' FROM within
    WHERE admitted AND fingerprint IS NOT NULL AND copy = 1
    ORDER BY client_id, fingerprint
    ON CONFLICT DO NOTHING RETURNING client_id, fingerprint
  )
  SELECT within.place::int AS place, CASE
    WHEN NOT within.admitted THEN 'rate_limited'
    WHEN within.fingerprint IS NULL THEN 'admitted'
    WHEN marked.fingerprint IS NOT NULL AND within.copy = 1 THEN 'admitted'
    ELSE 'replayed' END AS verdict
  FROM within LEFT JOIN marked ON marked.client_id = within.client_id AND marked.fingerprint = within.fingerprint`;
