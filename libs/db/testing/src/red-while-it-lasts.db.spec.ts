/** Trouble that only a new connection meets takes a second to be seen anew: readiness stays red meanwhile. */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseClock, DatabaseWatch, type Db, StandingConnection, VersionGate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

const LOOKS = 4;

describe('while a table is held', () => {
  let scratch: ScratchDatabase;
  let connection: StandingConnection;
  let watch: DatabaseWatch;
  let db: Db;
  let close: () => Promise<void>;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    ({ db, close } = await openDb(scratch.url));
    connection = new StandingConnection(scratch.url);
    watch = new DatabaseWatch(connection, db, new VersionGate(), new DatabaseClock(), scratch.url);
    await watch.onApplicationBootstrap();
  });
  afterAll(async () => {
    watch.onApplicationShutdown();
    await connection.onApplicationShutdown();
    await close();
    await scratch.drop();
  });

  test('it is never called well between two looks', async () => {
    const other = await openDb(scratch.url);
    const looks = jest.spyOn(connection, 'ask');
    const seen = new Set<string | null>();
    await other.db.inTransaction(async () => {
      await other.db.execute('LOCK TABLE payees');
      const meets = async (): Promise<void> => {
        await db.execute(`SET LOCAL lock_timeout = '100ms'`);
        await db.execute('SELECT FROM payees');
      };
      // Requests meet it again and again, as in a service that is used.
      const meet = (): Promise<unknown> => db.inTransaction(meets).catch(() => undefined);
      await db.outsideTransaction(async () => {
        while (watch.now().trouble === null) await meet();
        const until = looks.mock.calls.length + LOOKS;
        while (looks.mock.calls.length < until) {
          seen.add(watch.now().trouble);
          await Promise.all([meet(), pause(10)]);
          seen.add(watch.now().trouble);
        }
      });
    });
    await other.close();
    expect([...seen]).toEqual(['timeout']);
    while (watch.now().trouble !== null) await pause(10);
  });
});
