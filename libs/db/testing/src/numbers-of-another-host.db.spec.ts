/**
 * The host of the database vanishes without a word, and another one takes over. By which number PostgreSQL knows a session is a number of its host: the
 * one that takes over gave the same numbers to others, as two containers do, whose numbers all begin at 1, and those are at work. The connections
 * to the host of before lead nowhere all the same. Readiness is red for no more than five seconds longer (point 11), and whoever asks is answered; it does
 * not wait for half a minute until the last connection of before counts as silent.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { DatabaseClock, DatabaseWatch, type Db, StandingConnection, VersionGate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { PostgresProxy } from './postgres-proxy';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

const PLACES = 3;
/** One a second. Twice of what it may take. */
const LOOKS = 10;

describe('a host that vanished, and another one on which others have the same numbers', () => {
  let scratch: ScratchDatabase;
  let proxy: PostgresProxy;
  let connection: StandingConnection;
  let watch: DatabaseWatch;
  let db: Db;
  let close: () => Promise<void>;
  let other: Client;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    proxy = await PostgresProxy.start(scratch.url);
    // Of another process, on the host that takes over: it is at work all along.
    other = new Client({ connectionString: scratch.url });
    other.on('error', () => undefined);
    await other.connect();
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await other.query(
      `CREATE SCHEMA before; CREATE FUNCTION before.pg_backend_pid() RETURNS int LANGUAGE sql AS 'SELECT ${rows[0]?.pid}';
       CREATE FUNCTION before.pg_postmaster_start_time() RETURNS timestamptz LANGUAGE sql AS $$SELECT timestamptz '2026-01-01'$$`,
    );
    other.query('SELECT pg_sleep(600)').catch(() => undefined);
    // Sessions of the host of before have that number.
    const url = new URL(proxy.url);
    url.searchParams.set('options', '-c search_path=before,pg_catalog,public');
    ({ db, close } = await openDb(url.href, { max: PLACES, connectionTimeoutMillis: 1_000 }));
    connection = new StandingConnection(proxy.url);
    watch = new DatabaseWatch(connection, db, new VersionGate(), new DatabaseClock(), proxy.url);
    await watch.onApplicationBootstrap();
  });
  afterAll(async () => {
    watch.onApplicationShutdown();
    await connection.onApplicationShutdown();
    await proxy.stop(); // ends what still waits
    await close();
    await other.end().catch(() => undefined);
    await scratch.drop();
  });

  test('is ready again', async () => {
    await Promise.all(Array.from({ length: PLACES }, () => db.row('SELECT pg_sleep(0.5)'))); // each on a connection of its own
    proxy.decide = () => 'silent';
    const lost = Array.from({ length: PLACES }, (_, n) => db.row(`SELECT ${n} AS n`).catch(() => undefined));
    while (watch.now().trouble === null) await pause(10);
    proxy.decide = () => 'pass';
    while (!connection.isThere) await pause(10);
    const looks = jest.spyOn(connection, 'ask');
    const well = (): number => looks.mock.calls.filter(([sql]) => sql.includes('clock_timestamp() AS now')).length;
    // Somebody asks meanwhile, as in a service that is used.
    const said: unknown[] = [];
    const ask = async (): Promise<void> => {
      while (well() < LOOKS) said.push(await db.row('SELECT 1 AS one').catch((error: Error) => error.message));
    };
    const asking = ask();
    while (well() < LOOKS) await pause(10);
    expect([watch.now().trouble, said.at(-1)]).toEqual([null, { one: 1 }]);
    await asking;
    await Promise.all(lost);
  });
});
