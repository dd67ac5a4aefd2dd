/** Trouble that only some statements meet is never called over between two of them: readiness stays red for as long as it lasts. */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseClock, DatabaseWatch, type Db, StandingConnection, type TroubleKind, VersionGate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { holding } from './holding';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

const LOOKS = 2;

describe('readiness', () => {
  let scratch: ScratchDatabase;
  let connection: StandingConnection;
  let watch: DatabaseWatch;
  let db: Db;
  let other: Db;
  const opened: (() => Promise<void>)[] = [];
  const open = async (extra: object): Promise<Db> => {
    const { db: made, close } = await openDb(scratch.url, extra);
    opened.push(close);
    return made;
  };
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    db = await open({ lock_timeout: 100, connectionTimeoutMillis: 1_000, max: 2 });
    other = await open({});
    connection = new StandingConnection(scratch.url);
    watch = new DatabaseWatch(connection, db, new VersionGate(), new DatabaseClock(), scratch.url);
    await watch.onApplicationBootstrap();
  });
  afterAll(async () => {
    watch.onApplicationShutdown();
    await connection.onApplicationShutdown();
    for (const close of opened) await close();
    await scratch.drop();
  });

  /** What is said meanwhile, once it is said for the first time: requests meet the trouble again and again, as in a service that is used. */
  const said = async (statement: string): Promise<(TroubleKind | null)[]> => {
    const meet = (): Promise<unknown> => db.execute(statement).catch(() => undefined);
    while (watch.now().trouble === null) await meet();
    const looks = jest.spyOn(connection, 'ask');
    const seen = new Set<TroubleKind | null>();
    while (looks.mock.calls.length < LOOKS) {
      seen.add(watch.now().trouble);
      await Promise.all([meet(), pause(10)]);
      seen.add(watch.now().trouble);
    }
    looks.mockRestore();
    return [...seen];
  };
  const isOver = async (): Promise<void> => {
    while (watch.now().trouble !== null) await pause(10);
  };

  test.each([
    ['payees', 'ACCESS EXCLUSIVE', 'SELECT FROM payees'],
    ['used_signatures', 'ACCESS EXCLUSIVE', 'SELECT FROM used_signatures'],
    ['events', 'SHARE', 'UPDATE events SET attempts = attempts'],
  ])('%s are held in %s mode', async (table, mode, statement) => {
    const letGo = await holding(other, `LOCK TABLE ${table} IN ${mode} MODE`, []);
    expect(await said(statement)).toEqual(['timeout']);
    await letGo();
    await db.execute(statement); // what is remembered of it would count beside the next ones
    await isOver();
  });

  test('all places of the pool are taken', async () => {
    const letGo = [await holding(db, 'SELECT 1', []), await holding(db, 'SELECT 1', [])];
    expect(await said('SELECT 2')).toEqual(['busy']);
    for (const end of letGo) await end();
    await db.execute('SELECT 3');
    await isOver();
  });

  test.each([
    ['53100', 'full'],
    ['53200', 'refuses'],
    ['58030', 'refuses'],
  ] as const)('one table cannot be written: %s', async (code, kind) => {
    await other.execute(`CREATE TABLE notes (id int)`);
    await other.execute(`CREATE FUNCTION met() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`);
    await other.execute('CREATE TRIGGER meets BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION met()');
    expect(await said('INSERT INTO notes VALUES (1)')).toEqual([kind]);
    await other.execute('DROP TABLE notes');
    await other.execute('DROP FUNCTION met');
    await isOver();
  });
});
