/** What readiness hears of the database: every trouble while it lasts, and that it is over. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  DatabaseClock,
  CODE_VERSION,
  DatabaseWatch,
  type Db,
  MIGRATIONS,
  sessionNameOf,
  StandingConnection,
  type TroubleKind,
  VersionGate,
} from '#libs/db';
import { systemClock } from '#libs/domain';
import { setLogLevel } from '#libs/telemetry';
import { PostgresProxy } from './postgres-proxy';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

describe('the watch', () => {
  let scratch: ScratchDatabase;
  let proxy: PostgresProxy;
  let connection: StandingConnection;
  let watch: DatabaseWatch;
  const gate = new VersionGate();
  let db: Db;
  let close: () => Promise<void>;
  let admin: Db;
  let closeAdmin: () => Promise<void>;

  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    proxy = await PostgresProxy.start(scratch.url);
    ({ db, close } = await openDb(proxy.url));
    ({ db: admin, close: closeAdmin } = await openDb(scratch.url, { options: '-c default_transaction_read_only=off' }));
    connection = new StandingConnection(proxy.url);
    watch = new DatabaseWatch(connection, db, gate, new DatabaseClock(), proxy.url);
    await watch.onApplicationBootstrap();
  });
  afterEach(() => {
    proxy.decide = () => 'pass';
  });
  afterAll(async () => {
    watch.onApplicationShutdown();
    await connection.onApplicationShutdown();
    await close();
    await closeAdmin();
    await proxy.stop();
    await scratch.drop();
  });

  const isSeen = async (kind: TroubleKind | null): Promise<void> => {
    while (watch.now().trouble !== kind) await pause(20);
  };
  const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

  test('finds a database that is well, of this version, with its clock', () => {
    const { trouble, missingMigrations, clockOffsetMs } = watch.now();
    expect([trouble, missingMigrations]).toEqual([null, 0]);
    expect(Math.abs((clockOffsetMs ?? 0) + performance.now() - systemClock.now().getTime())).toBeLessThan(60_000);
  });

  test('its own connection is lost: seen at once, and over with the next one', async () => {
    const [session] = await connection.ask<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await proxy.terminate(session?.pid ?? 0);
    await isSeen('away');
    await isSeen(null);
  });

  test('a server that falls silent: connections that nobody uses are given up with it', async () => {
    await Promise.all([1, 2, 3].map(() => db.execute('SELECT pg_sleep(0.1)')));
    proxy.decide = ({ application }) => (application.endsWith('watch') ? 'silent' : 'pass');
    await isSeen('away');
    const sessions =
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()';
    while ((await admin.rows(sessions, [sessionNameOf(CODE_VERSION)])).length > 0) await pause(20);
    proxy.decide = () => 'pass';
    await isSeen(null);
    expect(await db.row('SELECT 1 AS one')).toEqual({ one: 1 });
  });

  test('a connection of the pool is lost: over with the next look', async () => {
    proxy.decide = ({ sql }) => (sql === 'SELECT 42' ? 'ended before' : 'pass');
    await failure(db.execute('SELECT 42'));
    expect(watch.now().trouble).toBe('away');
    await isSeen(null);
  });

  test('new sessions are read-only: seen once somebody writes, and for as long as it lasts', async () => {
    const name = new URL(scratch.url).pathname.slice(1);
    await admin.execute(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    proxy.decide = ({ sql }) => (sql === 'SELECT 42' ? 'ended before' : 'pass');
    await failure(db.execute('SELECT 42')); // the pool's next connection is a new session
    expect(await failure(db.execute('CREATE TABLE never (id int)'))).toMatchObject({ kind: 'read_only' });
    expect(watch.now().trouble).toBe('read_only');
    await admin.execute(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await isSeen(null);
  });

  test('a table that somebody holds: seen once a statement met it, by a look of its own', async () => {
    let letGo = (): void => undefined;
    const mayEnd = new Promise<void>((resolve) => (letGo = resolve));
    let holds = (): void => undefined;
    const held = new Promise<void>((resolve) => (holds = resolve));
    const holder = admin.inTransaction(async () => {
      await admin.execute('LOCK TABLE payees');
      holds();
      await mayEnd;
    });
    await held;
    const waits = db.inTransaction(async () => {
      await db.execute(`SET LOCAL lock_timeout = '50ms'`);
      await db.execute('SELECT FROM payees');
    });
    expect(await failure(waits)).toMatchObject({ kind: 'timeout' });
    await isSeen('timeout');
    letGo();
    await holder;
    await isSeen(null);
  });

  test('a statement that takes too long by itself is nothing that the watch tells', async () => {
    const slow = db.inTransaction(async () => {
      await db.execute(`SET LOCAL statement_timeout = '50ms'`);
      await db.execute('SELECT pg_sleep(60)');
    });
    expect(await failure(slow)).toMatchObject({ kind: 'timeout' });
    expect(watch.now().trouble).toBeNull();
  });

  test('a database without this version’s tables', async () => {
    await admin.execute(`DELETE FROM migrations WHERE name = $1`, [MIGRATIONS.at(-1)?.name]);
    while (watch.now().missingMigrations !== 1) await pause(20);
    await admin.execute('ALTER TABLE migrations RENAME TO elsewhere');
    while (watch.now().missingMigrations !== MIGRATIONS.length) await pause(20);
    await admin.execute('ALTER TABLE elsewhere RENAME TO migrations');
    await admin.execute('INSERT INTO migrations (timestamp, name) VALUES (1, $1)', [MIGRATIONS.at(-1)?.name]);
    while (watch.now().missingMigrations !== 0) await pause(20);
  });
});
