import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of each attempt to deliver an event, which receivers are left alone for a while, and lists of events. */
export class Deliveries1763600000009 implements MigrationInterface {
  readonly name = 'Deliveries1763600000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ATTEMPTS);
    await runner.query(RECEIVERS);
    await runner.query(LISTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE event_attempts, receivers;
      DROP INDEX events_of_client, events_of_all;
      CREATE INDEX events_newest ON events (client_id, created_at DESC, id DESC);
      CREATE INDEX events_newest_of_all ON events (created_at DESC, id DESC)`);
  }
}

/**
 * number goes on over replays. There is no reference to events: an attempt is only written by the statement that changes
 * its event, and this is the table that grows fastest.
 */
const ATTEMPTS = `
  CREATE TABLE event_attempts (
    event_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamptz NOT NULL,
    duration_ms integer NOT NULL,
    host text NOT NULL,
    status_code integer,
    error text,
    excerpt text,
    PRIMARY KEY (event_id, number)
  )`;

/**
 * Receivers whose last attempt failed; where all is well there is no row. A client has one URL, so it has one receiver.
 * Of the URL only a digest is kept: its path is often a secret. resting_until doubles as the lease of the probe.
 */
const RECEIVERS = `
  CREATE TABLE receivers (
    client_id uuid PRIMARY KEY REFERENCES clients,
    host text NOT NULL,
    url_digest bytea NOT NULL,
    consecutive_failures integer NOT NULL,
    failing_since timestamptz NOT NULL DEFAULT now(),
    last_status_code integer,
    last_error text,
    rests integer NOT NULL DEFAULT 0,
    rested_at timestamptz,
    resting_until timestamptz
  ) WITH (fillfactor = 50);
  CREATE INDEX receivers_rested ON receivers (rested_at DESC, client_id DESC) WHERE rested_at IS NOT NULL`;

/**
 * Any list of events is a merge of those of each type and status, so two indexes serve every combination of filters. The
 * second is on an expression, so that the planner never walks it for one client through the events of all others.
 */
const LISTS = `
  CREATE INDEX events_of_client ON events (client_id, type, status, created_at DESC, id DESC);
  CREATE INDEX events_of_all ON events ((type || '/' || status), created_at DESC, id DESC);
  DROP INDEX events_newest, events_newest_of_all`;
