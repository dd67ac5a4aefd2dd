import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients with their keys and sealed secrets, operators, and the audit log that nobody can rewrite. */
export class Identity1763600000001 implements MigrationInterface {
  readonly name = 'Identity1763600000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CLIENTS);
    await runner.query(OPERATORS);
    await runner.query(APPEND_ONLY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_log, operators, signing_secrets, client_keys, clients;
      DROP FUNCTION refuse_change()`);
  }
}

const CLIENTS = `
  CREATE TABLE clients (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'closed')),
    test_mode boolean NOT NULL,
    status_version smallint NOT NULL CHECK (status_version IN (1, 2)),
    scopes text[] NOT NULL,
    webhook_url text,
    event_types text[] NOT NULL,
    rail_allow_list text[],
    prepaid boolean NOT NULL,
    default_currency char(3) NOT NULL,
    caps jsonb NOT NULL DEFAULT '{}',
    floors jsonb NOT NULL DEFAULT '{}',
    withdraw_policy jsonb NOT NULL DEFAULT '{}',
    rate_limit_per_minute integer,
    require_signature_v2 boolean NOT NULL DEFAULT false,
    cool_down_seconds integer,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX clients_newest ON clients (created_at DESC, id DESC);

  CREATE TABLE client_keys (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES clients,
    hint text NOT NULL,
    digest bytea NOT NULL UNIQUE,
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX client_keys_by_client ON client_keys (client_id);

  CREATE TABLE signing_secrets (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES clients,
    sealed text NOT NULL,
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX signing_secrets_by_client ON signing_secrets (client_id)`;

const OPERATORS = `
  CREATE TABLE operators (
    id uuid PRIMARY KEY,
    name text NOT NULL UNIQUE,
    role text NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    digest bytea NOT NULL UNIQUE,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE audit_log (
    id uuid PRIMARY KEY,
    actor text NOT NULL,
    action text NOT NULL,
    client_id uuid,
    target text,
    before jsonb,
    after jsonb,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX audit_log_newest ON audit_log (created_at DESC, id DESC);
  CREATE INDEX audit_log_by_client ON audit_log (client_id, created_at DESC, id DESC)`;

/** 42501 is Postgres' own code for a missing privilege: rewriting history is one that nobody has. */
const APPEND_ONLY = `
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '42501';
  END $$;
  CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`;
