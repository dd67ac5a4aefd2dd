/** How it stands, in numbers that somebody would be woken for: one statement, and nothing that grows with what is over. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { OUR_PAGE } from '#libs/domain';

export const STANDING = [
  'held',
  'unfunded',
  'waits',
  'jobs_due',
  'jobs_late',
  'drift_open',
  'lane_closed',
  'mails_waiting',
  'wallets_overdrawn',
] as const;

export interface StandingRow {
  what: (typeof STANDING)[number];
  /** The key it is counted by: a reason, a status, a kind of job; for a rail, its name. */
  by: string;
  /** The second thing that it is counted by, if there is one. */
  also: string;
  value: number;
}

@Injectable()
export class StandingReads {
  constructor(private readonly db: Db) {}

  all(): Promise<StandingRow[]> {
    return this.db.rows<StandingRow>(ALL);
  }
}

/**
 * While some of a client's events are being delivered, its others wait for its receiver: no worker would deliver them sooner. A lease lasts for less
 * than a minute.
 */
const WAITS_FOR = `
  CASE WHEN name IN ('events.announce', 'event.retry') AND EXISTS (
    SELECT FROM jobs AS told WHERE told.name = due.name AND told.lane = due.lane
      AND told.run_at > now() AND told.run_at < now() + interval '1 minute' AND told.lease_token IS NOT NULL
  ) THEN 'receiver' ELSE 'worker' END`;

/**
 * What waits for its payee, as `waitsForPayee` has it, may do so for weeks; once they claimed it, it counts from then on. What was not
 * sent yet of a suspended client waits for the client. Mails that wait have
 * an index of their own: others are kept for a year.
 */
const ALL = `
  SELECT 'held' AS what, split_part(status_reason, ':', 1) AS by, '' AS also, count(*)::float8 AS value
  FROM payouts WHERE status = 'held' GROUP BY 2
  UNION ALL
  SELECT 'unfunded', coalesce(provider, ''), '', count(*) FROM payouts
  WHERE status = 'failed' AND failure_kind = 'transient' AND split_part(status_reason, ':', 1) = 'rail_out_of_funds'
    AND superseded_by IS NULL
  GROUP BY provider
  UNION ALL
  SELECT 'waits', status, CASE
      WHEN status = 'submitted' AND claim_url <> '${OUR_PAGE.soon}' THEN 'payee'
      WHEN status = 'authorized' AND client_id IN (SELECT id FROM clients WHERE status = 'suspended') THEN 'client'
      ELSE 'rail' END,
    extract(epoch FROM now() - min(CASE status WHEN 'submitted' THEN greatest(submitted_at, claimed_at) ELSE created_at END))
  FROM payouts WHERE status IN ('authorized', 'submitted') GROUP BY 2, 3
  UNION ALL
  SELECT 'jobs_due', name, '', count(*) FROM jobs WHERE run_at <= now() GROUP BY name
  UNION ALL
  SELECT 'jobs_late', name, waits_for, extract(epoch FROM now() - min(run_at)) FROM (
    SELECT name, run_at, ${WAITS_FOR} AS waits_for
    FROM (SELECT name, lane, min(run_at) AS run_at FROM jobs WHERE run_at <= now() GROUP BY name, lane) AS due
  ) AS late GROUP BY name, waits_for
  UNION ALL
  SELECT 'drift_open', rail, kind, count(*) FROM drift WHERE resolved_at IS NULL GROUP BY rail, kind
  UNION ALL
  SELECT 'lane_closed', rail, reason, 1 FROM rail_lanes WHERE opens_at IS NULL OR opens_at > now()
  UNION ALL
  SELECT 'mails_waiting', '', '', count(*) FROM mails WHERE status = 'queued'
  UNION ALL
  SELECT 'wallets_overdrawn', '', '', count(*) FROM wallets JOIN clients ON clients.id = wallets.client_id
  WHERE clients.prepaid AND deposited_cents - in_flight_cents - paid_cents - fee_cents < 0`;
