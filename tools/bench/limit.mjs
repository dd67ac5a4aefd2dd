// The limit that PostgreSQL sets: the least a payout can be, one prepared statement, from 32 connections at once. Its
// tables are in a database of their own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { runChild } from './children.mjs';
import { pgbenchProgram } from './programs.mjs';

const DATABASE = 'bench_limit';
const CLIENTS = 32;

const TABLES = `
  CREATE TABLE limit_payouts (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL,
    payee_id uuid NOT NULL,
    idempotency_key text NOT NULL,
    fingerprint bytea NOT NULL,
    amount_cents bigint NOT NULL,
    currency char(3) NOT NULL,
    status text NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (client_id, idempotency_key)
  );
  CREATE TABLE limit_trail (
    payout_id uuid NOT NULL,
    sequence integer NOT NULL,
    to_status text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (payout_id, sequence)
  );
  CREATE TABLE limit_outbox (id uuid PRIMARY KEY, payout_id uuid NOT NULL, created_at timestamptz NOT NULL)`;

const statement = (amount) => `
  WITH payout AS (
    INSERT INTO limit_payouts
    VALUES (uuidv7(), '019a0000-0000-7000-8000-000000000000', gen_random_uuid(), gen_random_uuid()::text,
      sha256('payout'::bytea), ${amount}, 'USD', 'authorized', now())
    RETURNING id
  ), trail AS (
    INSERT INTO limit_trail SELECT id, step, status, now()
    FROM payout, (VALUES (1, 'requested'), (2, 'authorized')) AS steps (step, status)
  )
  INSERT INTO limit_outbox SELECT uuidv7(), id, now() FROM payout`;

export class Limit {
  #stage;
  #server;
  #pgbench;

  constructor(stage, server) {
    this.#stage = stage;
    this.#server = server;
    this.#pgbench = pgbenchProgram(stage.directory);
  }

  get measuredBy() {
    return this.#pgbench ? 'pgbench' : 'a Node loop, NOT pgbench';
  }

  /** A Node loop takes CPU that PostgreSQL could use. */
  get isGuess() {
    return this.#pgbench === null;
  }

  async prepare() {
    await this.#server.create(DATABASE);
    await this.#server.query(DATABASE, TABLES);
  }

  /** Transactions per second. Every round begins with empty tables, right after a checkpoint. */
  async measure(seconds) {
    await this.#server.query(DATABASE, 'TRUNCATE limit_payouts, limit_trail, limit_outbox');
    await this.#server.query(DATABASE, 'CHECKPOINT');
    return this.#pgbench ? this.#byPgbench(seconds) : this.#byNode(seconds);
  }

  async #byPgbench(seconds) {
    const script = join(this.#stage.directory, 'limit.sql');
    writeFileSync(script, `\\set amount random(100, 100000)\n${statement(':amount').replaceAll('\n', ' ')};\n`);
    const { hostname, port, username, password } = new URL(this.#server.urlOf(DATABASE));
    const where = ['-h', hostname, '-p', port, '-U', username];
    const how = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(seconds), '-f', script];
    const output = await runChild(this.#stage, [this.#pgbench, ...where, ...how, DATABASE], {
      env: { PATH: process.env.PATH, PGPASSWORD: password },
    });
    const rate = /tps = ([0-9.]+)/.exec(output)?.[1];
    if (!rate) throw new Error(`pgbench told no rate:\n${output}`);
    return Number(rate);
  }

  async #byNode(seconds) {
    const connectionString = this.#server.urlOf(DATABASE);
    const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ connectionString, ssl: false }));
    for (const client of clients) client.on('error', () => undefined);
    await Promise.all(clients.map((client) => client.connect()));
    const startedAt = performance.now();
    const counts = await Promise.all(clients.map((client) => payUntil(client, startedAt + seconds * 1000)));
    const tookSeconds = (performance.now() - startedAt) / 1000;
    await Promise.all(clients.map((client) => client.end()));
    return counts.reduce((sum, count) => sum + count, 0) / tookSeconds;
  }
}

async function payUntil(client, until) {
  let count = 0;
  for (; performance.now() < until; count++)
    await client.query({ name: 'limit', text: statement('$1::bigint'), values: [100 + (count % 1000)] });
  return count;
}
