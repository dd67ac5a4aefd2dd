/**
 * What a session of ours is set to, whatever the database or its role are. It is told as the connection is made, and once more where somebody
 * between keeps that to themselves, as poolers do.
 */
import type { Client, ClientBase } from 'pg';

type Settings = Record<string, string>;

/**
 * Nothing here waits in a transaction for anything but PostgreSQL. A process that stands still in one keeps its locks from everybody else
 * no longer than this, and finds its work undone when it wakes.
 */
const IDLE_IN_TRANSACTION_MS = 15_000;

/** Every wait has a limit. */
export const LIMITS = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};

/**
 * Of dates that a database writes as people do nothing can be read, and a key that was revoked would count; nor can lists in which NULL is a
 * word; who waits for a row goes on with what it has become; what is committed is known after a crash, before a rail is told of it; and a
 * connection may be idle.
 */
const AS_WRITTEN_FOR: Settings = {
  datestyle: 'ISO',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
  synchronous_commit: 'on',
  idle_session_timeout: '0',
};

/**
 * Every statement here is short: compiling one, or planning it for spinning disks, costs more than running it. And none takes the processors
 * that others' are waiting for.
 */
const FOR_SHORT_STATEMENTS: Settings = { jit: 'off', random_page_cost: '1.1', max_parallel_workers_per_gather: '0' };

/** PostgreSQL knows nothing of it: what it holds came with the connection. */
const TOLD: Settings = { 'payout_gateway.told': 'yes' };

const SETTINGS: Settings = { ...FOR_SHORT_STATEMENTS, ...AS_WRITTEN_FOR, ...TOLD };

export const IS_TOLD = `coalesce(current_setting('payout_gateway.told', true), '') <> ''`;

const OURS = Object.entries(SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replace(' ', '\\ ')}`)
  .join(' ');

/** What an address sets beside, as a schema, stays so. Of what is set twice the last counts. */
export const optionsFor = (url: string): string =>
  [new URL(url).searchParams.get('options') ?? '', OURS].join(' ').trim();

const OPTIONS_KEPT =
  'What stands between keeps the options of DATABASE_URL from the database: set them for its role (ALTER ROLE ... SET).';

/** Of a session that was told nothing. */
export async function tellSettings(client: Client, url: string): Promise<void> {
  if (new URL(url).searchParams.has('options')) throw new Error(OPTIONS_KEPT);
  const limits = Object.entries(LIMITS).map(([name, ms]) => [name, String(ms)] as const);
  const all = [...Object.entries(SETTINGS), ...limits];
  await client.query('SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS one (name, value)', [
    all.map(([name]) => name),
    all.map(([, value]) => value),
  ]);
}

/** A connection that asks no first question. */
export async function tellAgain(client: Client, url: string): Promise<void> {
  if (!(await isTold(client))) await tellSettings(client, url);
}

/** Before a migration: what it changes may be another deployment's, in the schema that is meant if none is named. `options`: what was told. */
export async function refuseKeptOptions(client: ClientBase, options = OURS): Promise<void> {
  if (options !== OURS && !(await isTold(client))) throw new Error(OPTIONS_KEPT);
}

async function isTold(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isTold: boolean }>(`SELECT ${IS_TOLD} AS "isTold"`);
  return rows[0]?.isTold ?? false;
}
