import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is still to be done: jobs (one row per thing that needs attention), events with their delivery, rail memory. */
export class Work1763600000003 implements MigrationInterface {
  readonly name = 'Work1763600000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(JOBS);
    await runner.query(EVENTS);
    await runner.query(RAIL_RECORDS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rail_records, events, jobs');
  }
}

/**
 * run_at doubles as the lease: whoever takes a row pushes run_at past the lease's end, so a worker that dies simply
 * lets the row come due again. version tells a finished worker that more was asked for while it ran.
 */
const JOBS = `
  CREATE TABLE jobs (
    name text NOT NULL,
    entity_id uuid NOT NULL,
    lane text NOT NULL,
    run_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    attempts integer NOT NULL DEFAULT 0,
    lease_token uuid,
    last_error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (name, entity_id)
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX jobs_due ON jobs (name, lane, run_at)`;

/** payload is json, not jsonb: the bytes that are signed must never change. */
const EVENTS = `
  CREATE TABLE events (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES clients,
    type text NOT NULL,
    entity_id uuid NOT NULL,
    sequence integer NOT NULL,
    payload json NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz,
    last_status_code integer,
    last_error text,
    lease_token uuid,
    leased_until timestamptz,
    delivered_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (entity_id, sequence)
  );
  CREATE INDEX events_newest ON events (client_id, created_at DESC, id DESC);
  CREATE INDEX events_newest_of_all ON events (created_at DESC, id DESC);
  CREATE INDEX events_due ON events (next_attempt_at) WHERE status = 'pending' AND attempts > 0;
  CREATE INDEX events_unsent ON events (entity_id, sequence) WHERE status = 'pending' AND attempts = 0`;

const RAIL_RECORDS = `
  CREATE TABLE rail_records (
    rail text NOT NULL,
    key text NOT NULL,
    value jsonb NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (rail, key)
  );
  CREATE INDEX rail_records_changed ON rail_records (rail, changed_at)`;
