/** A connection that is lost at any moment: whoever used it is told what is known, and everybody else goes on. */
import { CommitUnknown, DatabaseTrouble, type Db } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { happening } from './happening';
import { PostgresProxy } from './postgres-proxy';
import { openDb, scratchDb, type ScratchDb } from './scratch-database';

describe('a lost connection', () => {
  let scratch: ScratchDb;
  let proxy: PostgresProxy;
  let db: Db;
  let close: () => Promise<void>;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE notes (id int PRIMARY KEY)');
    proxy = await PostgresProxy.start(scratch.url);
    ({ db, close } = await openDb(proxy.url));
  });
  beforeEach(() => scratch.db.execute('TRUNCATE notes'));
  afterEach(() => {
    proxy.decide = () => 'pass';
  });
  afterAll(async () => {
    await close();
    await proxy.stop();
    await scratch.drop();
  });

  const ids = async (): Promise<number[]> =>
    (await scratch.db.rows<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);
  const add = (id: number): Promise<number> => db.execute('INSERT INTO notes VALUES ($1)', [id]);
  const pid = async (): Promise<number> => (await db.row<{ pid: number }>('SELECT pg_backend_pid() AS pid'))?.pid ?? 0;
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'no failure',
      (error: unknown) => error,
    );
  const at = (place: string, fate: 'ended before' | 'answer lost'): void => {
    proxy.decide = ({ sql }) => (sql.startsWith(place) ? fate : 'pass');
  };
  const TROUBLE = { kind: 'away', constructor: DatabaseTrouble };

  test('between two statements of a transaction: the next one fails, and nobody else notices', async () => {
    const work = db.inTransaction(async () => {
      await add(1);
      await proxy.terminate(await pid());
      await add(2);
    });
    expect(await failure(work)).toMatchObject(TROUBLE);
    await db.inTransaction(() => add(3));
    expect(await ids()).toEqual([3]);
  });

  test('between two statements of a transaction that wants nothing more of it: it was not committed', async () => {
    const work = db.inTransaction(async () => {
      await add(1);
      await proxy.terminate(await pid());
      await new Promise((resolve) => setImmediate(resolve));
    });
    expect(await failure(work)).toBeInstanceOf(DatabaseTrouble);
    expect(await ids()).toEqual([]);
  });

  test.each(['BEGIN', 'INSERT'])('ended before %s: nothing was done, and the next transaction is', async (place) => {
    at(place, 'ended before');
    expect(await failure(db.inTransaction(() => add(1)))).toMatchObject(TROUBLE);
    proxy.decide = () => 'pass';
    await db.inTransaction(() => add(2));
    expect(await ids()).toEqual([2]);
  });

  test('ended before a statement outside of a transaction', async () => {
    at('INSERT', 'ended before');
    expect(await failure(add(1))).toMatchObject(TROUBLE);
    proxy.decide = () => 'pass';
    await add(2);
    expect(await ids()).toEqual([2]);
  });

  test('every connection of the pool at once', async () => {
    const [allMet, mayGoOn] = [happening(), happening()];
    let met = 0;
    const outcomes = Array.from({ length: 6 }, (_, index) =>
      failure(
        db.inTransaction(async () => {
          await add(index);
          met += 1;
          if (met === 6) allMet.happens();
          await mayGoOn.promise;
          await add(index + 100);
        }),
      ),
    );
    await allMet.promise;
    await scratch.db.execute(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    mayGoOn.happens();
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => expect.objectContaining({ kind: 'away' })));
    await add(7);
    expect(await ids()).toEqual([7]);
  });

  test.each(['ended before', 'answer lost'] as const)(
    'COMMIT, %s: nobody claims to know, and nothing is done again',
    async (fate) => {
      let runs = 0;
      at('COMMIT', fate);
      const effect = jest.fn();
      const work = db.inTransaction(async () => {
        runs += 1;
        await add(1);
        db.afterCommit(effect);
      });
      expect(await failure(work)).toBeInstanceOf(CommitUnknown);
      expect(runs).toBe(1);
      expect(effect).not.toHaveBeenCalled();
      expect(await ids()).toEqual(fate === 'answer lost' ? [1] : []);
    },
  );

  test('a commit that PostgreSQL refuses is no mystery', async () => {
    await scratch.db.execute('CREATE TABLE strict (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    const work = db.inTransaction(() => db.execute('INSERT INTO strict VALUES (1), (1)'));
    expect(await failure(work)).toMatchObject({ code: '23505' });
  });

  test('a commit at which PostgreSQL itself broke down may be done: its log may have been written to the end', async () => {
    await scratch.db.execute(`CREATE FUNCTION breaks() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$`);
    await scratch.db.execute(`CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON notes
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION breaks()`);
    expect(await failure(db.inTransaction(() => add(1)))).toBeInstanceOf(CommitUnknown);
    await scratch.db.execute('DROP TRIGGER at_the_end ON notes');
  });

  test('a transaction that swallowed an error of its statement has not been committed, and does not say so', async () => {
    const work = db.inTransaction(async () => {
      await add(1);
      await add(1).catch(() => undefined);
    });
    expect(await failure(work)).toMatchObject({ message: expect.stringContaining('rolled back') });
    expect(await ids()).toEqual([]);
  });

  test('what is done after the commit cannot make it undone', async () => {
    const work = db.inTransaction(async () => {
      db.afterCommit(() => {
        throw new Error('no');
      });
      return add(1);
    });
    expect(await failure(work)).toBe('no failure');
    expect(await ids()).toEqual([1]);
  });

  describe('work that is found again by a key', () => {
    const found = async (): Promise<string | null> =>
      (await db.row('SELECT FROM notes WHERE id = 1')) ? 'found' : null;
    const make = (): Promise<string> => db.inTransaction(async () => (await add(1), 'made'));

    test('is looked up where the answer to its commit was lost', async () => {
      at('COMMIT', 'answer lost');
      expect(await db.foundAgain(make, found)).toBe('found');
    });

    test('is looked up as soon as the database answers again', async () => {
      let lookUps = 0;
      proxy.decide = ({ sql }) => {
        if (sql === 'COMMIT') return 'answer lost';
        if (!sql.startsWith('SELECT FROM notes')) return 'pass';
        lookUps += 1;
        return lookUps < 3 ? 'ended before' : 'pass';
      };
      expect(await db.foundAgain(make, found)).toBe('found');
    });

    test('stays unknown where it is not there', async () => {
      at('COMMIT', 'ended before');
      expect(await failure(db.foundAgain(make, found))).toBeInstanceOf(CommitUnknown);
    });

    test.each(['ended before', 'too slow'])('stays unknown where nobody can look (%s)', async (fate) => {
      const slow = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
      at('COMMIT', 'answer lost');
      const look = jest.fn(async () => {
        if (fate === 'too slow') throw slow;
        at('SELECT', 'ended before');
        return found();
      });
      expect(await failure(db.foundAgain(make, look, 300))).toBeInstanceOf(CommitUnknown);
      expect(look.mock.calls.length).toBeGreaterThan(1);
    });

    test('is not looked up where it is certain that it was not done', async () => {
      at('INSERT', 'ended before');
      const look = jest.fn(found);
      expect(await failure(db.foundAgain(make, look))).toMatchObject(TROUBLE);
      expect(look).not.toHaveBeenCalled();
    });
  });
});
