/**
 * Behind a pooler in session mode, which operating.md allows and which makes up the numbers of sessions, the database says nothing for a moment, and what
 * was asked then is never answered: a host that vanished. It is well again: new connections are. Readiness is red for no more than five seconds longer
 * (point 11), and whoever asks is answered; it does not wait for half a minute until the last connection of before counts as silent.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseClock, DatabaseWatch, type Db, StandingConnection, VersionGate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { PostgresProxy } from './postgres-proxy';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

const PLACES = 3;
/** One a second. Twice of what it may take. */
const LOOKS = 10;

describe('a database that vanished behind a pooler, and is well again', () => {
  let scratch: ScratchDatabase;
  let proxy: PostgresProxy;
  let connection: StandingConnection;
  let watch: DatabaseWatch;
  let db: Db;
  let close: () => Promise<void>;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    proxy = await PostgresProxy.start(scratch.url);
    proxy.numbersSessions = true;
    ({ db, close } = await openDb(proxy.url, { max: PLACES, connectionTimeoutMillis: 1_000 }));
    connection = new StandingConnection(proxy.url);
    watch = new DatabaseWatch(connection, db, new VersionGate(), new DatabaseClock(), proxy.url);
    await watch.onApplicationBootstrap();
  });
  afterAll(async () => {
    watch.onApplicationShutdown();
    await connection.onApplicationShutdown();
    await proxy.stop(); // ends what still waits
    await close();
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
