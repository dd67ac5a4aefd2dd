/** A database of its own for a run, on the server that `npm test` started. */
import { randomBytes } from 'node:crypto';
import { Client, Pool, TypeOverrides } from 'pg';

export async function newDatabase(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set. Run these specs by `npm test`.');
  const name = `e2e_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}

// A spec that starts a data source sets how all connections of its worker read bigints: those here read numbers either way.
const types = new TypeOverrides();
types.setTypeParser(20, Number);

/** Rows of one statement, for what a black box cannot tell. */
export async function query<T extends object>(databaseUrl: string, sql: string, values: unknown[] = []): Promise<T[]> {
  if (!isOnTheSharedServer(databaseUrl)) return onItsOwn<T>(databaseUrl, sql, values);
  // Who waits for something asks often, and a new connection costs the server more than most questions.
  return (await keptFor(databaseUrl).query<T>(sql, values)).rows;
}

/** Servers of a spec's own are stopped, filled and used up: no connection of ours stays on those. */
async function onItsOwn<T extends object>(connectionString: string, sql: string, values: unknown[]): Promise<T[]> {
  const client = new Client({ connectionString, types });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

function isOnTheSharedServer(databaseUrl: string): boolean {
  const { TEST_DATABASE_URL: server } = process.env;
  return server !== undefined && new URL(server).host === new URL(databaseUrl).host;
}

const kept = new Map<string, Pool>();

function keptFor(connectionString: string): Pool {
  const known = kept.get(connectionString);
  if (known) return known;
  const pool = new Pool({ connectionString, types, idleTimeoutMillis: 2_000, allowExitOnIdle: true });
  // Whoever ends all sessions of the database ends this one, and the next question makes another.
  pool.on('error', () => undefined);
  kept.set(connectionString, pool);
  return pool;
}
