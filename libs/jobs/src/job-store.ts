/** The rows of the jobs table: one per (name, entity), whatever queue carries the news of them. */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FairSlots } from '#libs/batcher';
import { COMMITS_WITHOUT_DISK, Db, onBehalfOfAll } from '#libs/db';
import { log } from '#libs/telemetry';
import { CLAIM, DUE } from './due-jobs';
import { type HeldJob, type Job, JOB_NAMES, type JobName, JOBS, type Place, whoseIs } from './job-names';

export interface NewJob {
  name: JobName;
  entityId: string;
  lane: string;
  /** Its owner, if a lane has jobs of several. */
  owner?: string;
  delaySeconds?: number;
}

/** As many clients as a process moves the times of at once, and one that it makes as new: these hold all jobs of theirs for long. */
const WAITING = { atOnce: 3, perLane: 1 };

/** Before each look at jobs that are handed back, and that somebody held, or that the database could not be told of. */
const HELD_FOR_MS = [0, 10, 40, 160, 640];

@Injectable()
export class JobStore {
  private readonly places = new FairSlots(WAITING);
  /** Who has, or waits for, the one place for its held jobs. */
  private readonly waitedFor = new Set<string>();

  constructor(private readonly db: Db) {}

  async add(jobs: NewJob[]): Promise<void> {
    await this.db.write(ADD, [
      jobs.map(({ name }) => name),
      jobs.map(({ entityId }) => entityId),
      jobs.map(({ lane }) => lane),
      jobs.map(({ owner }) => owner ?? ''),
      jobs.map(({ delaySeconds }) => delaySeconds ?? 0),
    ]);
  }

  async remove(name: JobName, entityIds: string[]): Promise<void> {
    await this.db.write(REMOVE, [name, entityIds]);
  }

  /** The kinds of which some job is due, in the order of `JOB_NAMES`. */
  async due(): Promise<JobName[]> {
    const rows = await this.db.rows<{ kind: JobName }>(DUE, [JOB_NAMES]);
    return rows.map(({ kind }) => kind);
  }

  /** Takes due jobs, fairly over lanes and the owners in each; `running` is what this process has under way. */
  claim(name: JobName, limit: number, running: Place[], leaseSeconds: number): Promise<Job[]> {
    const { perLane, concurrency } = JOBS[name];
    const lanes = running.map(({ lane }) => lane);
    const owners = running.map(({ owner }) => owner);
    return this.db.rows<Job>(CLAIM, [name, limit, perLane, lanes, owners, leaseSeconds, concurrency]);
  }

  /** A worker that was told of a job takes it over from whoever dispatched it; null when it went to another since, or somebody holds it now. */
  adopt(name: JobName, entityId: string, dispatchToken: string, leaseSeconds: number): Promise<Job | null> {
    return this.db.row<Job>(ADOPT, [name, entityId, dispatchToken, leaseSeconds]);
  }

  async stillHeld(jobs: HeldJob[]): Promise<Set<string>> {
    const rows = await this.db.rows<{ leaseToken: string }>(STILL_HELD, [
      jobs.map(({ name }) => name),
      jobs.map(({ entityId }) => entityId),
      jobs.map(({ leaseToken }) => leaseToken),
    ]);
    return new Set(rows.map(({ leaseToken }) => leaseToken));
  }

  /**
   * All at once, but for those that somebody holds now. Of these, one of each client is waited for, while no other is held: so
   * nobody waits for a renewal that waits for them, and one client's jobs keep no other's from being renewed, nor many connections.
   */
  async renew(jobs: Job[], leaseSeconds: number): Promise<void> {
    const held = await this.renewFree(jobs, leaseSeconds);
    const clients = [...new Set(held.map(whoseIs))];
    await Promise.all(clients.map((whose) => onBehalfOfAll(() => this.renewHeld(whose, held, leaseSeconds), whose)));
  }

  /** Returns the others. */
  private async renewFree(jobs: Job[], leaseSeconds: number): Promise<Job[]> {
    if (jobs.length === 0) return [];
    const renewed = await this.db.rows<{ leaseToken: string }>(RENEW_FREE, [
      jobs.map(({ name }) => name),
      jobs.map(({ entityId }) => entityId),
      jobs.map(({ leaseToken }) => leaseToken),
      leaseSeconds,
    ]);
    const tokens = new Set(renewed.map(({ leaseToken }) => leaseToken));
    return jobs.filter(({ leaseToken }) => !tokens.has(leaseToken));
  }

  /** Whoever let the first go mostly let all go, some of them past the end of their leases: nobody else is to find them first. */
  private async renewHeld(whose: string, held: Job[], leaseSeconds: number): Promise<void> {
    if (this.waitedFor.has(whose)) return;
    this.waitedFor.add(whose);
    const theirs = held.filter((job) => whoseIs(job) === whose);
    try {
      await this.places.run(whose, async () => {
        for (let [first, ...others] = theirs; first; [first, ...others] = await this.renewFree(others, leaseSeconds))
          await this.db.execute(RENEW, [first.name, first.entityId, first.leaseToken, leaseSeconds]);
      });
    } finally {
      this.waitedFor.delete(whose);
    }
  }

  /** Those that are done, of many. What somebody is adding to now is left, for whoever waits for it alone. */
  async finishFree(jobs: Job[]): Promise<boolean[]> {
    const rows = await this.db.rows<{ leaseToken: string }>(FINISH_FREE, [
      jobs.map(({ name }) => name),
      jobs.map(({ entityId }) => entityId),
      jobs.map(({ leaseToken }) => leaseToken),
      jobs.map(({ version }) => version),
    ]);
    const gone = new Set(rows.map(({ leaseToken }) => leaseToken));
    return jobs.map(({ leaseToken }) => gone.has(leaseToken));
  }

  /** Done, unless more was asked for meanwhile: then it is due again at once. */
  async finish(job: Job): Promise<void> {
    const gone = await this.db.execute(
      'DELETE FROM jobs WHERE name = $1 AND entity_id = $2 AND lease_token = $3 AND version = $4',
      [job.name, job.entityId, job.leaseToken, job.version],
    );
    if (gone === 0) await this.putBack(job, 0, null, true);
  }

  /**
   * Gives leases back before they end, so that others begin at once; a try that never began does not count as one. If the database cannot be
   * told, they end by themselves, and the process goes on stopping. What somebody holds, as who adds to it does or a renewal, is mostly free in a
   * moment; and after a connection that was ended the next one is mostly well.
   */
  async handBack(jobs: HeldJob[], begun: boolean): Promise<void> {
    let left = jobs;
    let failure: Error | null = null;
    for (const ms of HELD_FOR_MS) {
      if (left.length === 0) return;
      await pause(ms);
      try {
        left = await this.handBackFree(left, begun);
        failure = null;
      } catch (error) {
        failure = error as Error;
      }
    }
    if (failure)
      log.warn({ event: 'jobs.not_handed_back', count: left.length, error: failure.message }, 'left to their leases');
  }

  /** Returns those that somebody holds. */
  private handBackFree(jobs: HeldJob[], begun: boolean): Promise<HeldJob[]> {
    return this.db.rows<HeldJob>(HAND_BACK, [
      jobs.map(({ name }) => name),
      jobs.map(({ entityId }) => entityId),
      jobs.map(({ leaseToken }) => leaseToken),
      begun ? 0 : 1,
    ]);
  }

  async putBack(job: Job, seconds: number, error: string | null, startOver: boolean): Promise<void> {
    await this.db.execute(PUT_BACK, [job.name, job.entityId, job.leaseToken, job.version, seconds, error, startOver]);
  }
}

/** Its reminders come from others than its holder, who knows nothing of why. */
const REMINDED_BY_OTHERS: JobName = 'payout.second_look';

/**
 * A job that is there already is brought forward. One under way is told, by its version, to run once more, unless only a reminder for later
 * was asked for: then its holder decides.
 */
const ADD = `
  INSERT INTO jobs AS job (name, entity_id, lane, owner, run_at, created_at)
  SELECT name, entity_id, lane, owner, now() + delay * interval '1 second', clock_timestamp()
  FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::float8[]) AS asked (name, entity_id, lane, owner, delay)
  ORDER BY name, entity_id
  ON CONFLICT (name, entity_id) DO UPDATE SET
    lane = excluded.lane,
    owner = excluded.owner,
    created_at = CASE WHEN excluded.run_at > now() THEN job.created_at ELSE excluded.created_at END,
    version = job.version + CASE
      WHEN job.lease_token IS NOT NULL AND excluded.run_at > now() AND job.name <> '${REMINDED_BY_OTHERS}' THEN 0 ELSE 1 END,
    attempts = CASE WHEN job.lease_token IS NULL THEN 0 ELSE job.attempts END,
    run_at = CASE WHEN job.lease_token IS NULL THEN LEAST(job.run_at, excluded.run_at) ELSE job.run_at END`;

const ADOPT = `
  WITH free AS MATERIALIZED (
    SELECT name, entity_id FROM jobs WHERE name = $1 AND entity_id = $2 AND lease_token = $3
    FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE jobs SET lease_token = gen_random_uuid(), run_at = now() + $4::float8 * interval '1 second'
  FROM free WHERE jobs.name = free.name AND jobs.entity_id = free.entity_id
  RETURNING jobs.name, jobs.entity_id, lane, owner, version, attempts, lease_token, created_at, false AS lapsed`;

const RENEW_FREE = `
  WITH free AS MATERIALIZED (
    SELECT jobs.name, jobs.entity_id FROM jobs
    JOIN unnest($1::text[], $2::uuid[], $3::uuid[]) AS held (name, entity_id, token)
      ON jobs.name = held.name AND jobs.entity_id = held.entity_id AND jobs.lease_token = held.token
    FOR NO KEY UPDATE OF jobs SKIP LOCKED
  )
  UPDATE jobs SET run_at = now() + $4::float8 * interval '1 second'
  FROM free WHERE jobs.name = free.name AND jobs.entity_id = free.entity_id RETURNING jobs.lease_token`;

/** Dated once its row is free: whoever waited for it might else write a lease that is over. */
const RENEW = `
  WITH held AS MATERIALIZED (
    SELECT name, entity_id FROM jobs WHERE name = $1 AND entity_id = $2 AND lease_token = $3 FOR NO KEY UPDATE
  )
  UPDATE jobs SET run_at = clock_timestamp() + $4::float8 * interval '1 second'
  FROM held WHERE jobs.name = held.name AND jobs.entity_id = held.entity_id`;

const FINISH_FREE = `
  WITH free AS MATERIALIZED (
    SELECT jobs.name, jobs.entity_id FROM jobs
    JOIN unnest($1::text[], $2::uuid[], $3::uuid[], $4::int[]) AS held (name, entity_id, token, version)
      ON jobs.name = held.name AND jobs.entity_id = held.entity_id AND jobs.lease_token = held.token
        AND jobs.version = held.version
    FOR UPDATE OF jobs SKIP LOCKED
  )
  DELETE FROM jobs USING free WHERE jobs.name = free.name AND jobs.entity_id = free.entity_id
  RETURNING jobs.lease_token, ${COMMITS_WITHOUT_DISK} AS waits_for_disk`;

/** A job that somebody holds is not waited for: its worker finds nothing to do. */
const REMOVE = `
  WITH free AS MATERIALIZED (
    SELECT name, entity_id FROM jobs WHERE name = $1 AND entity_id = ANY($2) AND lease_token IS NULL
    FOR UPDATE SKIP LOCKED
  )
  DELETE FROM jobs USING free WHERE jobs.name = free.name AND jobs.entity_id = free.entity_id`;

const STILL_HELD = `
  SELECT jobs.lease_token FROM jobs
  JOIN unnest($1::text[], $2::uuid[], $3::uuid[]) AS held (name, entity_id, token)
    ON jobs.name = held.name AND jobs.entity_id = held.entity_id AND jobs.lease_token = held.token
  WHERE jobs.run_at > now()`;

/** A locked job is waited for by nobody: a process that stops hands back the others at once. */
const HAND_BACK = `
  WITH held AS MATERIALIZED (
    SELECT jobs.name, jobs.entity_id, jobs.lease_token FROM jobs
    JOIN unnest($1::text[], $2::uuid[], $3::uuid[]) AS held (name, entity_id, token)
      ON jobs.name = held.name AND jobs.entity_id = held.entity_id AND jobs.lease_token = held.token
  ), free AS MATERIALIZED (
    SELECT jobs.name, jobs.entity_id FROM jobs JOIN held USING (name, entity_id, lease_token)
    FOR NO KEY UPDATE OF jobs SKIP LOCKED
  ), back AS (
    UPDATE jobs SET lease_token = NULL, run_at = now(), attempts = greatest(attempts - $4::int, 0)
    FROM free WHERE jobs.name = free.name AND jobs.entity_id = free.entity_id
  )
  SELECT name, entity_id, lease_token FROM held WHERE NOT EXISTS (
    SELECT FROM free WHERE free.name = held.name AND free.entity_id = held.entity_id
  )`;

const PUT_BACK = `
  UPDATE jobs SET
    lease_token = NULL,
    last_error = $6,
    attempts = CASE WHEN $7 OR version <> $4 THEN 0 ELSE attempts END,
    run_at = now() + CASE WHEN version = $4 THEN $5::float8 ELSE 0 END * interval '1 second'
  WHERE name = $1 AND entity_id = $2 AND lease_token = $3`;
