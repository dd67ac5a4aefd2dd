import { scratchDb, type ScratchDb } from './scratch-database';

describe('Db', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE notes (id int PRIMARY KEY, some_text text)');
  });
  afterAll(() => scratch.drop());

  const ids = async (): Promise<number[]> =>
    (await scratch.db.rows<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);
  const add = (id: number): Promise<number> => scratch.db.execute('INSERT INTO notes VALUES ($1, $2)', [id, 'x']);

  test('columns are read in camel case, and bigints as numbers', async () => {
    const row = await scratch.db.row('SELECT 1::bigint AS some_count, $1::text AS some_text', ['y']);
    expect(row).toEqual({ someCount: 1, someText: 'y' });
  });

  test('what throws leaves nothing behind, and its after-commit effects never run', async () => {
    const effect = jest.fn();
    const work = scratch.db.inTransaction(async () => {
      await add(1);
      scratch.db.afterCommit(effect);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await ids()).toEqual([]);
    expect(effect).not.toHaveBeenCalled();
  });

  test('a transaction inside a transaction is the same one, and effects run after its commit', async () => {
    const seen: number[][] = [];
    await scratch.db.inTransaction(async () => {
      await scratch.db.inTransaction(() => add(2));
      scratch.db.afterCommit(() => void ids().then((found) => seen.push(found)));
      expect(await scratch.db.outsideTransaction(ids)).toEqual([]);
    });
    expect(await ids()).toEqual([2]);
  });

  test('nothing may talk to the outside inside a transaction', async () => {
    expect(() => scratch.db.assertNoTransaction('A call')).not.toThrow();
    await expect(scratch.db.inTransaction(async () => scratch.db.assertNoTransaction('A call'))).rejects.toThrow(
      'A call must not run inside a database transaction.',
    );
  });

  test('the audit log and the trail refuse to be rewritten', async () => {
    for (const sql of ['UPDATE audit_log SET actor = actor', 'DELETE FROM audit_log', 'TRUNCATE payout_trail'])
      await expect(scratch.db.execute(sql)).rejects.toMatchObject({ code: '42501' });
  });
});
