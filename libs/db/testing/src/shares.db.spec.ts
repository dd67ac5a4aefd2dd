/** One client waits for many rows that somebody holds: there is a connection for all others. */
import { onBehalf, onBehalfOfAll, workFor } from '#libs/db';
import { scratchDb, type ScratchDb } from './scratch-database';

describe('the share that one client has of the connections', () => {
  let scratch: ScratchDb;
  const ids = Array.from({ length: 40 }, (_, id) => id);
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE things (id int PRIMARY KEY, changes int NOT NULL)');
    await scratch.db.execute('INSERT INTO things SELECT id, 0 FROM generate_series(0, 99) AS id');
  });
  beforeEach(() => scratch.db.execute('UPDATE things SET changes = 0'));
  afterAll(() => scratch.drop());

  const change = (id: number): Promise<number> =>
    scratch.db.inTransaction(() => scratch.db.execute('UPDATE things SET changes = changes + 1 WHERE id = $1', [id]));
  const somebodyWaits = async (): Promise<void> => {
    const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await scratch.db.rows(sql)).length < 2) await new Promise((resolve) => setImmediate(resolve));
  };

  /** What `others` do is done while forty changes of one client wait. */
  async function whileManyWait(
    waiting: (id: number) => Promise<number>,
    others: () => Promise<unknown>,
  ): Promise<void> {
    let through = 0;
    let all: Promise<unknown> = Promise.resolve();
    await scratch.db.inTransaction(async () => {
      await scratch.db.rows('SELECT FROM things WHERE id = ANY($1) FOR UPDATE', [ids]);
      await scratch.db.outsideTransaction(async () => {
        all = Promise.all(ids.map((id) => onBehalf('loud', () => waiting(id)).then(() => (through += 1))));
        await somebodyWaits();
        await others();
        expect(through).toBe(0);
      });
    });
    await all;
    const { sum } = (await scratch.db.row<{ sum: number }>('SELECT sum(changes)::int FROM things')) as { sum: number };
    expect([through, sum]).toEqual([40, 42]);
  }

  it.each<[string, (id: number) => Promise<number>]>([
    ['transactions', change],
    ['statements', (id) => scratch.db.execute('UPDATE things SET changes = changes + 1 WHERE id = $1', [id])],
    ['questions', (id) => scratch.db.rows('SELECT FROM things WHERE id = $1 FOR UPDATE', [id]).then(() => change(id))],
  ])('leaves room for another one, and for what is nobody’s: %s', async (_, waiting) => {
    await whileManyWait(waiting, async () => {
      await onBehalf(null, () => {
        workFor('quiet');
        return change(50);
      });
      await change(51);
    });
  });

  it('is not waited for by work of many that it happened to begin', async () => {
    await whileManyWait(change, () =>
      onBehalf('loud', () => onBehalfOfAll(() => Promise.all([change(50), change(51)]))),
    );
  });

  it('is more than one while nobody else needs any, and given on when something is free', async () => {
    const most = { now: 0, atOnce: 0 };
    const slow = (): Promise<unknown> =>
      onBehalf('loud', () =>
        scratch.db.inTransaction(async () => {
          most.now += 1;
          most.atOnce = Math.max(most.atOnce, most.now);
          await scratch.db.rows('SELECT 1');
          await new Promise((resolve) => setImmediate(resolve));
          most.now -= 1;
        }),
      );
    await Promise.all(ids.map(slow));
    expect(most.atOnce).toBeGreaterThan(2);
    expect(most.atOnce).toBeLessThanOrEqual(6);
  });
});
