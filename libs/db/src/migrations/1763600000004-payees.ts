import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is paid, over which account, and which rails serve which country. */
export class Payees1763600000004 implements MigrationInterface {
  readonly name = 'Payees1763600000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PAYEES);
    await runner.query(METHODS);
    await runner.query(ROUTES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE routes, methods, payees');
  }
}

const PAYEES = `
  CREATE TABLE payees (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES clients,
    external_id text NOT NULL,
    email text,
    name text,
    country char(2),
    metadata jsonb NOT NULL DEFAULT '{}',
    provider text,
    payable boolean NOT NULL,
    kyc_status text NOT NULL CHECK (kyc_status IN ('not_started', 'pending', 'verified', 'rejected')),
    kyc_reason text,
    onboarding_status text NOT NULL
      CHECK (onboarding_status IN ('not_started', 'in_progress', 'complete', 'restricted')),
    blocked boolean NOT NULL DEFAULT false,
    block_reason text,
    cooling_until timestamptz,
    event_sequence integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (client_id, external_id),
    CHECK (kyc_reason IS NULL OR kyc_status = 'rejected')
  );
  CREATE INDEX payees_newest ON payees (client_id, created_at DESC, id DESC);
  CREATE INDEX payees_by_email ON payees (client_id, email, created_at)`;

/** A sandbox account is not the live account of the same name, so test_mode is part of what is unique. */
const METHODS = `
  CREATE TABLE methods (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES clients,
    payee_id uuid NOT NULL REFERENCES payees,
    provider text NOT NULL,
    provider_account_id text NOT NULL,
    test_mode boolean NOT NULL,
    payable boolean NOT NULL,
    account_country char(2),
    status text NOT NULL CHECK (status IN ('active', 'replaced')),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (provider, provider_account_id, test_mode)
  );
  CREATE UNIQUE INDEX methods_one_active ON methods (payee_id) WHERE status = 'active'`;

const ROUTES = `
  CREATE TABLE routes (
    country text PRIMARY KEY,
    rails text[] NOT NULL,
    blocked boolean NOT NULL DEFAULT false,
    updated_at timestamptz NOT NULL DEFAULT now()
  )`;
