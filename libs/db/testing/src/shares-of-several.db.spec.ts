/** Several clients wait for many rows that somebody holds: connections are left to all others (ADR 126). */
import { onBehalf } from '#libs/db';
import { holding } from './holding';
import { scratchDb, type ScratchDb } from './scratch-database';

const ROWS_OF_EACH = 40;

describe.each([1, 2, 3])('while %d clients wait', (count) => {
  let scratch: ScratchDb;
  let letGo: () => Promise<void>;
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE things (id int PRIMARY KEY, changes int NOT NULL)');
    await scratch.db.execute('INSERT INTO things SELECT id, 0 FROM generate_series(0, 199) AS id');
    letGo = await holding(scratch.db, 'SELECT FROM things WHERE id < 150 FOR UPDATE', []);
  });
  afterAll(async () => {
    await letGo();
    await scratch.drop();
  });

  const change = (id: number): Promise<number> =>
    scratch.db.inTransaction(() => scratch.db.execute('UPDATE things SET changes = changes + 1 WHERE id = $1', [id]));
  const changesOf = (client: number): Promise<unknown>[] =>
    Array.from({ length: ROWS_OF_EACH }, (_, nth) =>
      onBehalf(`loud ${client}`, () => change(client * ROWS_OF_EACH + nth)),
    );

  test('others are served, and whoever waited too once the rows are free', async () => {
    const ended: string[] = [];
    const end = (how: string) => () => void ended.push(how);
    const waiting = Array.from({ length: count }, (_, client) => changesOf(client))
      .flat()
      .map((one) => one.then(end('changed'), end('failed')));
    await onBehalf('quiet', () => change(199));
    await change(198);
    // Whoever has a place that others wait for is told soon.
    const brief = onBehalf('loud 0', () => scratch.db.inBriefTransaction(() => change(197)));
    await expect(brief).rejects.toMatchObject({ kind: 'timeout', isHeld: true });
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(waiting);
    expect(new Set(ended)).toEqual(new Set(['changed']));
  });
});
