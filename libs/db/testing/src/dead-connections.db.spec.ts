/** A host vanishes without a word, or whoever forwards connections loses some: they stay open, and nothing comes back. New ones are well. */
import { DatabaseClock, DatabaseWatch, type Db, FIRST_QUESTION, StandingConnection, VersionGate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { PostgresProxy } from './postgres-proxy';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

/** A server that is silent is given no end by a timer here. */
const NEVER = { query_timeout: 2 ** 31 - 1, statement_timeout: 0 };

describe('connections that lead nowhere', () => {
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
    ({ db, close } = await openDb(proxy.url, NEVER));
    connection = new StandingConnection(scratch.url);
    watch = new DatabaseWatch(connection, db, new VersionGate(), new DatabaseClock(), scratch.url);
    await watch.onApplicationBootstrap();
  });
  afterEach(() => {
    proxy.decide = () => 'pass';
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    watch.onApplicationShutdown();
    await connection.onApplicationShutdown();
    await close();
    await proxy.stop();
    await scratch.drop();
  });

  /** Settles when the watch has asked so often what the others work at, and was answered; or was told that its role may not know. */
  const askedWhoWorks = (times: number, refusal: Error | null = null): Promise<void> => {
    const ask = connection.ask.bind(connection);
    return new Promise((resolve) => {
      let left = times;
      jest.spyOn(connection, 'ask').mockImplementation(async (sql: string, values?: unknown[]) => {
        const answer = await ask(sql, values);
        if (sql.includes('AS working')) left -= 1;
        if (left === 0) setImmediate(resolve);
        if (refusal && sql.includes('pg_stat_activity')) throw refusal;
        return answer as never[];
      });
    });
  };

  test('are ended, each that was asked, and the next ones are well', async () => {
    proxy.decide = ({ sql }) => (sql.includes('nowhere') ? 'silent' : 'pass');
    const lost = [1, 2, 3].map((n) => db.row(`SELECT 'nowhere ${n}' AS nowhere`));
    const inTransaction = db.inTransaction(() => db.execute(`SELECT 'nowhere'`));
    for (const one of [...lost, inTransaction]) await expect(one).rejects.toMatchObject({ kind: 'away' });
    expect(await db.row('SELECT 1 AS one')).toEqual({ one: 1 });
  });

  test('are ended when they fall silent at a rollback, and at the first statement of a new connection', async () => {
    proxy.decide = ({ sql }) => (sql === 'ROLLBACK' ? 'silent' : 'pass');
    const refused = db.inTransaction(async () => {
      await db.row('SELECT 1 AS one');
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    await db.closeIdle();
    proxy.decide = ({ sql }) => (sql === FIRST_QUESTION ? 'silent' : 'pass');
    await expect(db.row('SELECT 1 AS one')).rejects.toMatchObject({ kind: 'away' });
  });

  test('are not those that wait for a lock, however long', async () => {
    await db.execute('CREATE TABLE held (id int)');
    await db.execute('INSERT INTO held VALUES (1)');
    const asked = askedWhoWorks(2);
    const { db: other, close: letGo } = await openDb(scratch.url);
    await other.inTransaction(async () => {
      await other.execute('UPDATE held SET id = 2');
      const waiting = db.inTransaction(async () => {
        await db.execute('SET LOCAL lock_timeout = 0');
        return db.execute('UPDATE held SET id = 3');
      });
      waiting.catch(() => undefined);
      await asked;
      setImmediate(() => void waiting.then((count) => expect(count).toBe(1)));
    });
    await letGo();
    expect(await db.row('SELECT id FROM held')).toEqual({ id: 3 });
  });

  test('are ended, too, where somebody between makes up the numbers that connections are told', async () => {
    await db.closeIdle();
    proxy.numbersSessions = true;
    proxy.decide = ({ sql }) => (sql.includes('nowhere') ? 'silent' : 'pass');
    await expect(db.row(`SELECT 'nowhere' AS nowhere`)).rejects.toMatchObject({ kind: 'away' });
    expect(await db.row('SELECT 1 AS one')).toEqual({ one: 1 });
    await db.closeIdle();
    proxy.numbersSessions = false;
  });

  test('are none that nobody may tell of: the role is kept from reading what sessions do', async () => {
    const asked = askedWhoWorks(2, Object.assign(new Error('permission denied'), { code: '42501' }));
    proxy.decide = ({ sql }) => (sql.includes('nowhere') ? 'silent' : 'pass');
    let isOver = false;
    const lost = db.row(`SELECT 'nowhere' AS nowhere`).catch(() => (isOver = true));
    await asked;
    expect(isOver).toBe(false);
    jest.restoreAllMocks();
    await lost;
  });
});
