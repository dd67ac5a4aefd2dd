/** The work that waits, as operators look at it: nothing here takes a job, or keeps one from being taken. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { JOB_NAMES, type JobName } from './job-names';

export interface WaitingJob {
  name: JobName;
  entityId: string;
  lane: string;
  runAt: Date;
  attempts: number;
  /** Somebody has it, or had it and did not come back yet. */
  isTaken: boolean;
  /** Why it is not through: what failed, or what was not to be learned, the last time. */
  lastError: string | null;
}

export interface Backlog {
  name: JobName;
  waiting: number;
  /** Its time has come. */
  due: number;
  /** How long the oldest of those has waited. */
  lateSeconds: number;
}

export interface JobFilter {
  name?: JobName;
  entityId?: string;
}

@Injectable()
export class JobReads {
  constructor(private readonly db: Db) {}

  /** Those whose time comes first. */
  first({ name, entityId }: JobFilter, limit: number): Promise<WaitingJob[]> {
    return this.db.rows<WaitingJob>(FIRST, [name ?? null, entityId ?? null, limit]);
  }

  /** All that waits about one thing: of each kind at most one. */
  about(entityId: string): Promise<WaitingJob[]> {
    return this.db.rows<WaitingJob>(ABOUT, [JOB_NAMES, entityId]);
  }

  /** Kinds of which nothing waits are left out. */
  backlog(): Promise<Backlog[]> {
    return this.db.rows<Backlog>(BACKLOG);
  }
}

const WAITING = `
  SELECT name, entity_id, lane, run_at, attempts, lease_token IS NOT NULL AS is_taken, last_error FROM jobs`;

/** By the key of the table, however much work there is. */
const ABOUT = `${WAITING} WHERE name = ANY($1::text[]) AND entity_id = $2 ORDER BY run_at, name`;

const FIRST = `${WAITING}
  WHERE ($1::text IS NULL OR name = $1) AND ($2::uuid IS NULL OR entity_id = $2)
  ORDER BY run_at, name, entity_id LIMIT $3`;

const BACKLOG = `
  SELECT name, count(*)::int AS waiting, count(*) FILTER (WHERE run_at <= now())::int AS due,
    coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE run_at <= now())), 0)::int AS late_seconds
  FROM jobs GROUP BY name ORDER BY late_seconds DESC, name`;
