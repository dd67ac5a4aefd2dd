/** Statements that leave together: they are done in the order in which they were asked for, and nothing outlives its transaction. */
import { DatabaseTrouble, type Db } from '#libs/db';
import { holding } from './holding';
import { scratchDb, type ScratchDb } from './scratch-database';

describe('statements that leave together', () => {
  let scratch: ScratchDb;
  let db: Db;
  beforeAll(async () => {
    scratch = await scratchDb();
    db = scratch.db;
    await db.execute('CREATE TABLE notes (id int PRIMARY KEY)');
    await db.execute('CREATE TABLE tales (tale json)');
  });
  beforeEach(() => db.execute('TRUNCATE notes'));
  afterAll(() => scratch.drop());

  const ids = async (): Promise<number[]> =>
    (await db.rows<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);
  const add = (id: number): Promise<void> => db.write('INSERT INTO notes VALUES ($1)', [id]);

  test('a look sees what was written before it, also at the very beginning', async () => {
    const seen = await db.inTransaction(async () => {
      void add(1);
      return ids();
    });
    expect(seen).toEqual([1]);
  });

  test('a write that fails undoes the transaction, and is its error, whatever came after it', async () => {
    for (const after of [() => Promise.resolve([]), ids, () => add(3)]) {
      const work = db.inTransaction(async () => {
        await add(1);
        await add(1);
        await after();
      });
      await expect(work).rejects.toMatchObject({ code: '23505' });
      expect(await ids()).toEqual([]);
    }
  });

  test('a look that fails is the error of its transaction, whatever left behind it or was answered first', async () => {
    await add(1);
    const letGo = await holding(db, 'SELECT FROM notes FOR UPDATE', []);
    const locked = (): Promise<unknown> => db.rows('SELECT FROM notes FOR UPDATE');
    const works = [
      () => Promise.all([locked(), add(2)]),
      () => Promise.all([locked(), ids(), add(2), add(3)]),
      async () => {
        const held = locked();
        held.catch(() => undefined);
        await Promise.all([ids(), add(2)]);
        await held;
      },
    ];
    const failures: unknown[] = [];
    for (const work of works)
      failures.push(await db.inBriefTransaction<unknown>(work).catch((error: unknown) => error));
    await letGo();
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(DatabaseTrouble);
      expect(failure).toMatchObject({ kind: 'timeout', code: '55P03' });
    }
    expect(await ids()).toEqual([1]);
  });

  test('a value that cannot be sent fails where it is written, and nothing of its transaction is done', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const tell = (value: unknown): Promise<void> => db.write('INSERT INTO tales VALUES ($1)', [value]);
    await tell({ well: 1 });
    await expect(
      db.inTransaction(async () => {
        await tell({ well: 2 });
        await tell(circular);
      }),
    ).rejects.toThrow(TypeError);
    await tell({ well: 3 });
    expect(await db.rows('SELECT tale FROM tales')).toEqual([{ tale: { well: 1 } }, { tale: { well: 3 } }]);
  });

  test('what a connection prepared and somebody took back is prepared anew', async () => {
    await add(1);
    await db.execute('DEALLOCATE ALL');
    await Promise.all([add(2), db.inTransaction(() => add(3))]);
    expect(await ids()).toEqual([1, 2, 3]);
  });

  test('what goes on after its transaction was undone writes nothing', async () => {
    let later: Promise<unknown> = Promise.resolve();
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const work = db.inTransaction(async () => {
      await add(1);
      later = gate.then(() => add(2)).then(() => db.execute('INSERT INTO notes VALUES (3)'));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    goOn();
    await expect(later).rejects.toThrow('The transaction is over');
    expect(await ids()).toEqual([]);
  });
});
