/** A newer version adds columns to tables in use: statements that were prepared before go on. */
import { setLogLevel } from '#libs/telemetry';
import { happening } from './happening';
import { scratchDb, type ScratchDb } from './scratch-database';

describe('a table that gets a column while it is in use', () => {
  let scratch: ScratchDb;
  let columns = 0;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE notes (id int PRIMARY KEY)');
    await scratch.db.execute('CREATE TABLE others (id int PRIMARY KEY)');
    await scratch.db.execute('INSERT INTO others VALUES (1)');
  });
  beforeEach(() => scratch.db.execute('TRUNCATE notes'));
  afterAll(() => scratch.drop());

  const addColumn = async (table = 'notes'): Promise<void> => {
    columns += 1;
    await scratch.db.execute(`ALTER TABLE ${table} ADD COLUMN added_${columns} text`);
  };
  const add = (id: number): Promise<unknown> => scratch.db.row('INSERT INTO notes VALUES ($1) RETURNING *', [id]);
  const ids = async (): Promise<number[]> =>
    (await scratch.db.rows<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);
  /** Every connection of the pool prepares the statements. */
  const onEveryConnection = async (): Promise<void> => {
    const allMet = happening();
    let met = 0;
    const meet = async (id: number): Promise<void> => {
      await add(id);
      await scratch.db.rows('SELECT * FROM notes');
      await scratch.db.rows('SELECT * FROM others');
      met += 1;
      if (met === 8) allMet.happens();
      await allMet.promise;
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => scratch.db.inTransaction(() => meet(index))));
    await scratch.db.execute('DELETE FROM notes');
  };

  test('outside of a transaction every statement is answered, on every connection, and done once', async () => {
    await onEveryConnection();
    await addColumn();
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(index)));
    expect(await ids()).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(await scratch.db.row('SELECT * FROM notes WHERE id = 0')).toHaveProperty(`added${columns}`, null);
  });

  test('a transaction runs again from its beginning, and is done once', async () => {
    await onEveryConnection();
    let begun = 0;
    const work = (id: number): Promise<void> =>
      scratch.db.inTransaction(async () => {
        begun += 1;
        await scratch.db.execute('INSERT INTO notes VALUES ($1)', [id]);
        await scratch.db.rows('SELECT * FROM others');
      });
    await addColumn('others');
    await Promise.all(Array.from({ length: 20 }, (_, index) => work(index)));
    expect(await ids()).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(begun).toBeGreaterThan(20);
  });

  test('so it does where the change came between two of its statements, and one change after the other', async () => {
    await onEveryConnection();
    let begun = 0;
    await scratch.db.inTransaction(async () => {
      begun += 1;
      await add(1);
      if (begun < 4) await scratch.db.outsideTransaction(() => addColumn('others'));
      await scratch.db.rows('SELECT * FROM others');
    });
    expect(await ids()).toEqual([1]);
    expect(begun).toBeGreaterThan(1);
  });

  test('what else PostgreSQL does not support is not asked again', async () => {
    let begun = 0;
    const work = scratch.db.inTransaction(async () => {
      begun += 1;
      await scratch.db.rows('SELECT id FROM notes GROUP BY id FOR UPDATE');
    });
    await expect(work).rejects.toMatchObject({ code: '0A000' });
    expect(begun).toBe(1);
  });
});
