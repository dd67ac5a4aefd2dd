/** Version N beside N+1: a migration that N does not understand waits until N is through, and no statement of N comes after it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  DatabaseClock,
  CODE_VERSION,
  dataSourceOptions,
  DatabaseWatch,
  type Db,
  migrate,
  type MigrationClass,
  MIGRATIONS,
  sessionNameOf,
  StandingConnection,
  VersionGate,
} from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { happening } from './happening';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

/** Keeps how many sessions of older code there were when it ran. */
class Breaking9999999999999 implements MigrationInterface {
  readonly name: string = 'Breaking9999999999999';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE seen AS SELECT count(*)::int AS older FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = '${sessionNameOf(CODE_VERSION)}'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way back.'));
  }
}

class Adding9999999999999 extends Breaking9999999999999 {
  static readonly besideOlderCode = true;
  override readonly name = 'Adding9999999999999';
}

class Failing9999999999999 extends Breaking9999999999999 {
  override readonly name = 'Failing9999999999999';

  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    throw new Error('it does not fit');
  }
}

const ROOT = join(__dirname, '../../../..');
const PATIENT_MS = 60_000;

/** The last migration that older code does not work beside: those after it only add. */
const OLDEST_BESIDE = Math.max(
  ...MIGRATIONS.filter((migration: MigrationClass) => !migration.besideOlderCode).map(({ name }) =>
    Number(name.slice(-13)),
  ),
);

describe('version N beside N+1', () => {
  let scratch: ScratchDatabase;
  /** What a process of version N has. */
  let db: Db;
  let close: () => Promise<void>;
  let connection: StandingConnection;
  let watch: DatabaseWatch;
  let gate: VersionGate;
  const order: string[] = [];

  beforeEach(async () => {
    setLogLevel('silent');
    order.splice(0);
    scratch = await scratchDatabase();
    ({ db, close } = await openDb(scratch.url));
    gate = new VersionGate();
    gate.onChange((shut) => order.push(shut ? 'N stops' : 'N goes on'));
    connection = new StandingConnection(scratch.url);
    watch = new DatabaseWatch(connection, db, gate, new DatabaseClock(), scratch.url);
    await watch.onApplicationBootstrap();
  });
  afterEach(async () => {
    watch.onApplicationShutdown();
    await connection.onApplicationShutdown();
    await close();
    await scratch.drop();
  });

  const options = () => dataSourceOptions({ url: scratch.url, poolSize: 2, onPoolError: () => undefined });
  const next = (migration: MigrationClass, graceMs: number): Promise<string[]> =>
    migrate(options(), { migrations: [...MIGRATIONS, migration], graceMs }).then((applied) => {
      order.push('migrated');
      return applied;
    });
  const sql = async (text: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: scratch.url });
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  };
  const floor = async (): Promise<unknown> => (await sql('SELECT oldest_code, announced_code FROM code_floor'))[0];
  const isShut = async (shut: boolean): Promise<void> => {
    while (gate.isShut !== shut) await pause(20);
  };
  /** A transaction of N that is under way until the spec lets go. */
  const working = async (): Promise<{ finish: () => void; done: Promise<unknown> }> => {
    const [begun, mayEnd] = [happening(), happening()];
    const leave = gate.enter();
    const done = db
      .inTransaction(async () => {
        await db.execute('SELECT 1');
        begun.happens();
        await mayEnd.promise;
        await db.execute('SELECT 2');
        order.push('N finishes');
      })
      .catch((error: unknown) => error)
      .finally(leave);
    await begun.promise;
    return { finish: mayEnd.happens, done };
  };

  test('what the operating page has an operator compare is the same once this version runs', async () => {
    const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    const [command = ''] = /^grep -L .*migrations.*$/m.exec(page) ?? [];
    const [, number] = /(\d{13})-/.exec(execFileSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' })) ?? [];
    expect(await floor()).toMatchObject({ oldest_code: Number(number) });
  });

  test('a migration that only adds: N goes on beside it, and so does a process of N that is started', async () => {
    const { finish, done } = await working();
    expect(await next(Adding9999999999999, 0)).toEqual(['Adding9999999999999']);
    finish();
    expect(await done).toBeUndefined();
    expect(order).toEqual(['migrated', 'N finishes']);
    expect(await floor()).toEqual({ oldest_code: OLDEST_BESIDE, announced_code: null });
    expect(await migrate(options())).toEqual([]);
    expect(watch.now()).toMatchObject({ outdated: false, missingMigrations: 0 });
  });

  test('a migration that N does not understand: N is told, finishes what is under way, and only then it comes', async () => {
    const { finish, done } = await working();
    const migrating = next(Breaking9999999999999, PATIENT_MS);
    await isShut(true);
    expect(watch.now().outdated).toBe(true);
    finish();
    expect(await done).toBeUndefined();
    expect(await migrating).toEqual(['Breaking9999999999999']);
    expect(order).toEqual(['N stops', 'N finishes', 'migrated']);
    expect(await sql('SELECT older FROM seen')).toEqual([{ older: 0 }]);
    expect(await floor()).toEqual({ oldest_code: 9_999_999_999_999, announced_code: null });
    await expect(db.execute('SELECT 3')).rejects.toMatchObject({ kind: 'outdated' });
    await expect(migrate(options())).rejects.toThrow('Breaking9999999999999');
  });

  test('a backup that reads for long is waited for before N is told to stop', async () => {
    const backup = new Client({ connectionString: scratch.url });
    await backup.connect();
    await backup.query('BEGIN; LOCK TABLE jobs IN ACCESS SHARE MODE');
    const migrating = next(Breaking9999999999999, PATIENT_MS);
    const waits = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 727001 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    while ((await sql(waits)).length === 0) await pause(20);
    await connection.ask('SELECT pg_sleep(1)');
    expect([order, gate.isShut]).toEqual([[], false]);
    await backup.query('COMMIT');
    expect(await migrating).toEqual(['Breaking9999999999999']);
    expect(order).toEqual(['N stops', 'migrated']);
    await backup.end();
  });

  test('a process of N that does not stop in time: its session is ended, and it gets no other', async () => {
    const { finish, done } = await working();
    await next(Breaking9999999999999, 0);
    finish();
    expect(await done).toMatchObject({ kind: 'away' });
    expect(await sql('SELECT older FROM seen')).toEqual([{ older: 0 }]);
    expect(order).not.toContain('N finishes');
    await expect(db.execute('SELECT 3')).rejects.toMatchObject({ kind: 'outdated' });
  });

  test('a migration that fails leaves N as it was', async () => {
    await expect(next(Failing9999999999999, PATIENT_MS)).rejects.toThrow('it does not fit');
    await isShut(false);
    expect(order).toEqual(['N stops', 'N goes on']);
    expect(await floor()).toEqual({ oldest_code: OLDEST_BESIDE, announced_code: null });
    await db.execute('SELECT 3');
  });

  test('an announcement counts only while its announcer lives', async () => {
    const announcer = new Client({ connectionString: scratch.url });
    await announcer.connect();
    await announcer.query('SELECT pg_advisory_lock(727001); UPDATE code_floor SET announced_code = 9999999999999');
    await isShut(true);
    await announcer.end();
    await isShut(false);
    await db.execute('SELECT 3');
  });
});
