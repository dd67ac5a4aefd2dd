/** Every wait for the database has an end, each with its name, and readiness hears of it for as long as it lasts. */
import { randomBytes } from 'node:crypto';
import { CommitUnknown, type Db } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { happening } from './happening';
import { PostgresProxy } from './postgres-proxy';
import { openDb, scratchDb, type ScratchDb } from './scratch-database';

/** Set by the statement that holds: before it, a slow process would stand still too long by itself. */
const SOON_TOO_LONG = `SELECT set_config('idle_in_transaction_session_timeout', '100', true)`;

describe('waiting for the database', () => {
  let scratch: ScratchDb;
  const opened: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE notes (id int PRIMARY KEY)');
    await scratch.db.execute('INSERT INTO notes VALUES (1)');
  });
  afterAll(async () => {
    for (const close of opened) await close();
    await scratch.drop();
  });

  const open = async (extra: object, url = scratch.url): Promise<Db> => {
    const { db, close } = await openDb(url, extra);
    opened.push(close);
    return db;
  };
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'no failure',
      (error: unknown) => error,
    );
  /** Holds until the spec lets go, and goes on once it really holds. */
  const holding = async (db: Db, sql: string): Promise<() => Promise<void>> => {
    const [held, mayEnd] = [happening(), happening()];
    const transaction = db.inTransaction(async () => {
      await db.execute(sql);
      held.happens();
      await mayEnd.promise;
    });
    await held.promise;
    return async () => {
      mayEnd.happens();
      await transaction;
    };
  };

  test.each([
    ['statement_timeout', 30_000],
    ['lock_timeout', 10_000],
    ['idle_in_transaction_session_timeout', 15_000],
  ])('%s of each connection is %i ms', async (name, ms) => {
    const limit = await scratch.db.row<{ ms: number }>('SELECT setting::int AS ms FROM pg_settings WHERE name = $1', [
      name,
    ]);
    expect(limit).toEqual({ ms });
  });

  test('who stands still in a transaction keeps what it holds for seconds only, and finds its work undone', async () => {
    const asleep = await open({});
    const wake = await holding(asleep, `WITH moved AS (UPDATE notes SET id = 3) ${SOON_TOO_LONG}`);
    expect(await scratch.db.execute('UPDATE notes SET id = id')).toBe(1);
    expect(await failure(wake())).toMatchObject({ kind: 'away' });
    expect(await scratch.db.rows('SELECT id FROM notes')).toEqual([{ id: 1 }]);
  });

  test('a lock that is held: the transaction is undone, its connection goes on, and the same statement ends it', async () => {
    const db = await open({ lock_timeout: 50, max: 1 });
    const letGo = await holding(scratch.db, 'SELECT FROM notes FOR UPDATE');
    const touch = (): Promise<number> => db.inTransaction(() => db.execute('UPDATE notes SET id = 2'));
    expect(await failure(touch())).toMatchObject({ kind: 'timeout', code: '55P03' });
    await db.execute('SELECT 1');
    expect(db.recentTrouble.isWorthALook()).toBe(true);
    expect(db.recentTrouble.latest()).toBeNull(); // who waits for one row is not everybody
    await letGo();
    expect(await touch()).toBe(1);
    expect(db.recentTrouble.isWorthALook()).toBe(false);
  });

  test('work that is brief gives up for a lock at once, with nothing to remember, and waits when it says so', async () => {
    const db = await open({ max: 1 });
    const letGo = await holding(scratch.db, 'SELECT FROM notes FOR UPDATE');
    const lock = (): Promise<unknown> => db.rows('SELECT FROM notes FOR UPDATE');
    expect(await failure(db.inBriefTransaction(lock))).toMatchObject({ code: '55P03', isHeld: true });
    expect(db.recentTrouble.latest()).toBeNull();
    const begun = happening();
    const waiting = db.inBriefTransaction(async () => {
      const brief = await db.row('SHOW lock_timeout');
      await db.waitsAsUsual();
      begun.happens();
      await lock();
      return [brief, await db.row('SHOW lock_timeout')];
    });
    await begun.promise;
    await letGo();
    expect(await waiting).toEqual([{ lockTimeout: '100ms' }, await db.row('SHOW lock_timeout')]);
  });

  test('a statement that takes too long', async () => {
    const db = await open({ statement_timeout: 50, max: 1 });
    expect(await failure(db.execute('SELECT pg_sleep(60)'))).toMatchObject({ kind: 'timeout', code: '57014' });
    expect(await db.row('SELECT 1 AS one')).toEqual({ one: 1 });
  });

  test('a statement that somebody cancels', async () => {
    const db = await open({ max: 1 });
    const { pid } = (await db.row<{ pid: number }>('SELECT pg_backend_pid() AS pid')) ?? {};
    const sleeping = failure(db.execute('SELECT pg_sleep(60)'));
    let cancelled = false;
    while (!cancelled)
      cancelled =
        (await scratch.db.execute(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND state = 'active'`,
          [pid],
        )) === 1;
    expect(await sleeping).toMatchObject({ kind: 'timeout', code: '57014' });
  });

  test('a pool whose connections are all in use', async () => {
    const db = await open({ max: 1, connectionTimeoutMillis: 2_000 });
    const letGo = await holding(db, 'SELECT 1');
    expect(await failure(db.outsideTransaction(() => db.execute('SELECT 2')))).toMatchObject({ kind: 'busy' });
    expect(db.recentTrouble.latest()).toBe('busy');
    await letGo();
    await db.execute('SELECT 3');
    expect(db.recentTrouble.latest()).toBeNull();
  });

  test('a server that has no connection left', async () => {
    const role = `few_${randomBytes(4).toString('hex')}`;
    await scratch.db.execute(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT 1`);
    await scratch.db.execute(`GRANT SELECT ON code_floor, database_place TO ${role}`);
    const db = await open({ max: 2 }, Object.assign(new URL(scratch.url), { username: role, password: 'few' }).href);
    const letGo = await holding(db, 'SELECT 1');
    const more = (): Promise<unknown> => failure(db.outsideTransaction(() => db.execute('SELECT 2')));
    expect(await more()).toMatchObject({ kind: 'refuses', code: '53300' });
    await scratch.db.execute(`ALTER ROLE ${role} CONNECTION LIMIT 2`);
    expect(await more()).toBe('no failure');
    expect(db.recentTrouble.latest()).toBeNull();
    await letGo();
    await opened.pop()?.();
    await scratch.db.execute(`DROP OWNED BY ${role}`);
    await scratch.db.execute(`DROP ROLE ${role}`);
  });

  test('a server that falls silent: the connection is given up, and the next one asked', async () => {
    const proxy = await PostgresProxy.start(scratch.url);
    const db = await open({ query_timeout: 200, max: 1 }, proxy.url);
    proxy.decide = ({ sql }) => (sql === 'SELECT 1' ? 'silent' : 'pass');
    expect(await failure(db.inTransaction(() => db.execute('SELECT 1')))).toMatchObject({ kind: 'away' });
    expect(await failure(db.execute('SELECT 1'))).toMatchObject({ kind: 'away' });
    expect(await db.row('SELECT 2 AS two')).toEqual({ two: 2 });
    await opened.pop()?.();
    await proxy.stop();
  });

  test('silent at the commit, behind writes that it answered: nobody knows whether it is done', async () => {
    const proxy = await PostgresProxy.start(scratch.url);
    const db = await open({ query_timeout: 200, max: 1 }, proxy.url);
    proxy.decide = ({ sql }) => (sql === 'COMMIT' ? 'silent' : 'pass');
    const work = db.inTransaction(async () => {
      for (const id of [11, 12, 13]) await db.write('INSERT INTO notes VALUES ($1)', [id]);
    });
    expect(await failure(work)).toBeInstanceOf(CommitUnknown);
    await opened.pop()?.();
    await proxy.stop();
  });

  test('a database that is read-only says so, and the statement is not to blame', async () => {
    const db = await open({ options: '-c default_transaction_read_only=on' });
    expect(await failure(db.inTransaction(() => db.execute('INSERT INTO notes VALUES (9)')))).toMatchObject({
      kind: 'read_only',
      code: '25006',
    });
  });
});
