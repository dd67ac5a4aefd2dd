/**
 * Brings the database to the version of this code, one process at a time. Before a migration that older code would not
 * understand, older processes are told to stop, and are given time to.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { DataSource, type DataSourceOptions, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { log } from '#libs/telemetry';
import { announce, endOlderSessions, takeBack } from './announcement';
import { MIGRATION_LOCK, type MigrationClass, newestOf, numberOf } from './code-version';
import { KEPT_ALIVE, survive } from './data-source';
import { gaveWay } from './database-trouble';
import { leftAlone } from './left-alone';
import { MIGRATIONS } from './migrations';
import { refuseKeptOptions } from './session-settings';

/** For the work that older processes have under way: a call to a rail takes 20 seconds at most. */
const GRACE_MS = 30_000;
/** A migration that waits for a table blocks everybody who comes after it: so it waits this long at a time, with room for them between. */
const LOCK_MS = 500;
const AGAIN_MS = 3_000;
/** Between looks whether another process has migrated. */
const LOOK_MS = 200;
/** Somebody may read a table for long, such as a backup. Older code goes on meanwhile, unless it had to stop. */
const PATIENCE_MS = { beside: 600_000, alone: 30_000 };
/** For a server that takes the connection, and then says nothing. */
const CONNECT_MS = 10_000;
/** A process that stands still while it migrates holds tables, and older processes, no longer than this. */
const FROZEN_MS = 30_000;

export class NewerDatabase extends Error {
  constructor(migration: string) {
    super(`The database was made by a newer version (it has ${migration}). Start that version, or restore a backup.`);
  }
}

export class TableHeld extends Error {
  constructor() {
    super('A table that is to be changed is held by somebody, such as a backup. Start again when that is over.');
  }
}

export class WrongEncoding extends Error {
  constructor(encoding: string) {
    super(
      `The database is in ${encoding}, and names are compared in UTF8. Make one with: createdb --encoding=UTF8 --template=template0`,
    );
  }
}

interface Version {
  migrations?: readonly MigrationClass[];
  graceMs?: number;
  frozenMs?: number;
  connectMs?: number;
}

/**
 * An index that is built beside others waits for every statement that began before it. A process of an older version that is started meanwhile
 * waits in one for the lock of this migration, and PostgreSQL ends one of the two. If that is this one, the other is let through.
 */
export async function migrate(options: DataSourceOptions, version: Version = {}): Promise<string[]> {
  for (const until = performance.now() + PATIENCE_MS.beside; ;) {
    try {
      return await underLock(options, version);
    } catch (error) {
      if (!gaveWay(error) || performance.now() >= until) throw error;
      log.info({ event: 'migration.waits' }, 'another process waits for this one, and goes first');
      await pause(AGAIN_MS);
    }
  }
}

async function underLock(
  options: DataSourceOptions,
  { migrations = MIGRATIONS, graceMs = GRACE_MS, frozenMs = FROZEN_MS, connectMs = CONNECT_MS }: Version,
): Promise<string[]> {
  // What the address sets beside, as a schema, is so here as well.
  const { options: sessions } = (options.extra ?? {}) as { options?: string };
  const own = {
    applicationName: 'payout-gateway migration',
    migrations: migrations.map(raisingTheFloor),
    extra: { max: 2, options: sessions, onConnect: survive, connectionTimeoutMillis: connectMs, ...KEPT_ALIVE },
  };
  const dataSource = await new DataSource({ ...options, ...own } as DataSourceOptions).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    await refuseKeptOptions(client, sessions);
    const [{ encoding }] = (await client.query<{ encoding: string }>(ENCODING)).rows as [{ encoding: string }];
    if (encoding !== 'UTF8') throw new WrongEncoding(encoding);
    await client.query(IDLE_NO_LONGER, [String(frozenMs)]);
    while (!(await hasLock(client))) await pause(LOOK_MS);
    // What was announced by somebody who is gone would count again, now that the lock is held.
    await takeBack(client);
    const pending = await pendingOn(client, migrations);
    if (pending.length > 0) await client.query(`SELECT set_config('lock_timeout', $1, false)`, [String(LOCK_MS)]);
    const run = (some: MigrationClass[], patienceMs: number): Promise<unknown> =>
      untilFree(patienceMs, () => new ExecutorOf(some, dataSource, runner).executePendingMigrations());
    const { beside, rest } = split(pending);
    if (beside.length > 0) await run(beside, PATIENCE_MS.beside);
    if (rest.length > 0) await withOlderCodeStopped(client, rest, graceMs, () => run(rest, PATIENCE_MS.alone));
    return pending.map(({ name }) => name);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

const ENCODING = `SELECT current_setting('server_encoding') AS encoding`;

/** Those before the first that older code must not see need nobody to stop; what follows it finds nobody who would go on beside it. */
function split(pending: MigrationClass[]): Record<'beside' | 'rest', MigrationClass[]> {
  const breaking = pending.findIndex(({ besideOlderCode }) => !besideOlderCode);
  const end = breaking < 0 ? pending.length : breaking;
  return { beside: pending.slice(0, end), rest: pending.slice(end) };
}

/** Runs these alone, on this very connection: without the lock there is no migration, and older code may go on. */
class ExecutorOf extends MigrationExecutor {
  override transaction = 'each' as const;

  constructor(
    private readonly some: MigrationClass[],
    dataSource: DataSource,
    runner: QueryRunner,
  ) {
    super(dataSource, runner);
  }

  protected override getMigrations(): Migration[] {
    return super.getMigrations().filter(({ name }) => this.some.some((migration) => migration.name === name));
  }
}

/** Whoever waited for it in a statement would be waited for by an index that is built beside others. */
async function hasLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>('SELECT pg_try_advisory_lock($1) AS has', [MIGRATION_LOCK]);
  return rows[0]?.has ?? false;
}

/** Finished migrations are not repeated: each one is a transaction of its own, or can be run again. */
async function untilFree<T>(patienceMs: number, work: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + patienceMs; ;) {
    try {
      return await work();
    } catch (error) {
      if (!isHeld(error)) throw error;
      if (performance.now() >= until) throw new TableHeld();
      log.info({ event: 'migration.waits' }, 'somebody holds a table that is to be changed; tried again soon');
      await pause(AGAIN_MS);
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const isHeld = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === LOCK_NOT_AVAILABLE;

const IDLE_NO_LONGER = `
  SELECT set_config('idle_session_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $1, false)`;

/** The migrations that this code still has to run. Refuses a database that is past them, or that went another way. */
async function pendingOn(client: PoolClient, migrations: readonly MigrationClass[]): Promise<MigrationClass[]> {
  if (!(await isThere(client, 'migrations'))) return [...migrations];
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp');
  const applied = new Set(rows.map(({ name }) => name));
  const known = new Set(migrations.map(({ name }) => name));
  const pending = migrations.filter(({ name }) => !applied.has(name));
  const foreign = rows.filter(({ name }) => !known.has(name)).at(-1);
  if (foreign && (pending.length > 0 || (await floorOf(client)) > newestOf(migrations)))
    throw new NewerDatabase(foreign.name);
  return pending;
}

async function withOlderCodeStopped<T>(
  client: PoolClient,
  pending: MigrationClass[],
  graceMs: number,
  work: () => Promise<T>,
): Promise<T> {
  // Before there is a floor, code that asks for it cannot be running.
  if (!(await isThere(client, 'code_floor'))) return work();
  if (!(await leftAlone(client, PATIENCE_MS.beside))) throw new TableHeld();
  const version = newestOf(pending.filter(({ besideOlderCode }) => !besideOlderCode));
  try {
    await announce(client, version);
    await endOlderSessions(client, version, graceMs);
    return await work();
  } finally {
    await takeBack(client);
  }
}

/**
 * The floor rises with the migration, in its transaction: neither is ever there without the other. So what raises it is never outside one.
 */
function raisingTheFloor(migration: MigrationClass): MigrationClass {
  if (migration.besideOlderCode || numberOf(migration) <= FIRST_FLOOR) return migration;
  const raising = class extends migration {
    override async up(runner: QueryRunner): Promise<void> {
      await super.up(runner);
      await runner.query('UPDATE code_floor SET oldest_code = greatest(oldest_code, $1)', [numberOf(migration)]);
    }
  };
  Object.defineProperty(raising, 'name', { value: migration.name });
  return raising;
}

/** The migration that made the floor set it itself. */
const FIRST_FLOOR = 1763600000011;

async function isThere(client: PoolClient, table: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table]);
  return rows[0]?.there ?? false;
}

async function floorOf(client: PoolClient): Promise<number> {
  if (!(await isThere(client, 'code_floor'))) return 0;
  const { rows } = await client.query<{ floor: number }>('SELECT oldest_code::float8 AS floor FROM code_floor');
  return rows[0]?.floor ?? 0;
}
