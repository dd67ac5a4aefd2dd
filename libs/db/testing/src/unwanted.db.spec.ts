/** Whoever asked for work has left while the process stood still: what is not committed by then is not done. */
import { type Db, onBehalf, onBehalfOfAll, type Wish } from '#libs/db';
import { type ScratchDb, scratchDb } from './index';

class Doubted implements Wish {
  leftAt = Infinity;
  private asked = 0;

  inDoubt(): Promise<void> | null {
    this.asked += 1;
    return this.asked < this.leftAt ? null : Promise.reject(new Error('they have left'));
  }
}

describe('work that nobody wants any more', () => {
  let scratch: ScratchDb;
  let db: Db;
  let wish: Doubted;
  beforeAll(async () => {
    scratch = await scratchDb();
    db = scratch.db;
    await db.execute('CREATE TABLE done (what text)');
  });
  afterAll(() => scratch.drop());
  beforeEach(() => {
    wish = new Doubted();
  });

  const insert = (what: string): Promise<void> =>
    db.inTransaction(async () => {
      await db.row('SELECT FROM done LIMIT 1');
      await db.write('INSERT INTO done VALUES ($1)', [what]);
    });
  const wanted = <T>(work: () => Promise<T>): Promise<T> => onBehalf(null, work, wish);
  const isDone = async (what: string): Promise<boolean> =>
    (await db.row('SELECT FROM done WHERE what = $1', [what])) !== null;

  test.each([
    ['before it begins', 1],
    ['before its commit, behind what was written', 2],
  ])('is not done if they left %s', async (what, leftAt) => {
    wish.leftAt = leftAt;
    await expect(wanted(() => insert(what))).rejects.toThrow('they have left');
    expect(await isDone(what)).toBe(false);
    // The connection is as good as before.
    await insert(`${what}, by another`);
    expect(await isDone(`${what}, by another`)).toBe(true);
  });

  test('stays done once it is committed', async () => {
    wish.leftAt = 3;
    await wanted(() => insert('committed'));
    await expect(wanted(() => insert('what follows'))).rejects.toThrow('they have left');
    expect([await isDone('committed'), await isDone('what follows')]).toEqual([true, false]);
  });

  test('is done with that of others, who have not left', async () => {
    wish.leftAt = 1;
    await wanted(() => onBehalfOfAll(() => insert('of many')));
    expect(await isDone('of many')).toBe(true);
  });
});
