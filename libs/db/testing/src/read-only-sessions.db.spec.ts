/** Sessions that began while all were read-only stay read-only: they are given up, and who may write again does. */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseClock, DatabaseWatch, type Db, StandingConnection, VersionGate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

describe('a database that was read-only for a while', () => {
  let scratch: ScratchDatabase;
  let admin: Db;
  const opened: (() => Promise<void>)[] = [];
  const open = async (extra: object = {}): Promise<Db> => {
    const { db, close } = await openDb(scratch.url, extra);
    opened.push(close);
    return db;
  };
  const readOnly = (isSo: boolean): Promise<number> => {
    const name = new URL(scratch.url).pathname.slice(1);
    return admin.execute(
      `ALTER DATABASE ${name} ${isSo ? 'SET' : 'RESET'} default_transaction_read_only${isSo ? ' = on' : ''}`,
    );
  };
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    admin = await open({ options: '-c default_transaction_read_only=off' });
    await admin.execute('CREATE TABLE notes (id int)');
  });
  afterAll(async () => {
    for (const close of opened) await close();
    await scratch.drop();
  });

  test('each connection of the pool is given up with the first that met it, in a transaction and by itself', async () => {
    await readOnly(true);
    const db = await open({ max: 3, idleTimeoutMillis: 0 });
    await Promise.all([1, 2, 3].map(() => db.execute('SELECT pg_sleep(0.1)')));
    await readOnly(false);
    const write = (): Promise<number> => db.execute('INSERT INTO notes VALUES (1)');
    expect(await failure(write())).toMatchObject({ kind: 'read_only' });
    for (let times = 0; times < 3; times += 1)
      expect(await Promise.all([1, 2, 3].map(() => failure(db.inTransaction(write))))).toEqual([null, null, null]);
    expect(db.recentTrouble.latest()).toBeNull();
  });

  test('the watch looks from a new connection, and goes on with one', async () => {
    const db = await open();
    await readOnly(true);
    const connection = new StandingConnection(scratch.url);
    const watch = new DatabaseWatch(connection, db, new VersionGate(), new DatabaseClock(), scratch.url);
    await watch.onApplicationBootstrap();
    expect(watch.now().trouble).toBe('read_only');
    await readOnly(false);
    while (watch.now().trouble !== null) await pause(20);
    watch.onApplicationShutdown();
    await connection.onApplicationShutdown();
  });
});
