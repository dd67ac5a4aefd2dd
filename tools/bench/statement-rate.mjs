// How often in a second PostgreSQL does one statement, prepared, from 32 connections at once: by pgbench, or by a Node loop
// if there is none.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { runChild } from './children.mjs';
import { pgbenchProgram } from './programs.mjs';

const CLIENTS = 32;

export class StatementRate {
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

  async of(database, statement, seconds) {
    await this.#server.query(database, 'CHECKPOINT');
    return this.#pgbench ? this.#byPgbench(database, statement, seconds) : this.#byNode(database, statement, seconds);
  }

  async #byPgbench(database, statement, seconds) {
    const script = join(this.#stage.directory, 'statement.sql');
    writeFileSync(script, `${statement.replaceAll('\n', ' ')};\n`);
    const { hostname, port, username, password } = new URL(this.#server.urlOf(database));
    const where = ['-h', hostname, '-p', port, '-U', username];
    const how = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(seconds), '-f', script];
    const output = await runChild(this.#stage, [this.#pgbench, ...where, ...how, database], {
      env: { PATH: process.env.PATH, PGPASSWORD: password },
    });
    const rate = /tps = ([0-9.]+)/.exec(output)?.[1];
    if (!rate) throw new Error(`pgbench told no rate:\n${output}`);
    return Number(rate);
  }

  async #byNode(database, statement, seconds) {
    const connectionString = this.#server.urlOf(database);
    const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ connectionString, ssl: false }));
    for (const client of clients) client.on('error', () => undefined);
    await Promise.all(clients.map((client) => client.connect()));
    const startedAt = performance.now();
    const until = startedAt + seconds * 1000;
    const counts = await Promise.all(clients.map((client) => doUntil(client, statement, until)));
    const tookSeconds = (performance.now() - startedAt) / 1000;
    await Promise.all(clients.map((client) => client.end()));
    return counts.reduce((sum, count) => sum + count, 0) / tookSeconds;
  }
}

async function doUntil(client, text, until) {
  let count = 0;
  for (; performance.now() < until; count++) await client.query({ name: 'limit', text });
  return count;
}
