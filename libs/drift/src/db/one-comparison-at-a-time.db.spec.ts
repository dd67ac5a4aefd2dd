/** Two comparisons with the same rail, one on schedule and one that an operator asked for, are written down one after the other. */
import { holding, type ScratchDb, scratchDb, waitedFor } from '#libs/db/testing';
import { RailLists } from './rail-lists.book';

describe('a comparison', () => {
  let scratch: ScratchDb;
  beforeAll(async () => (scratch = await scratchDb()));
  afterAll(() => scratch.drop());

  test('waits for another one of its rail, and is not given up as beside a reset', async () => {
    const { db } = scratch;
    const lists = new RailLists(db);
    const portion = await lists.window('one', 0);
    const end = await holding(db, 'SELECT FROM rail_scans WHERE rail = $1 FOR UPDATE', ['one']);
    const second = lists.unlessReset('one', portion, async () => 'compared');
    await waitedFor(db, 'rail_scans', 'rail = $1', ['one']);
    await end();
    expect(await second).toBe('compared');
  });
});
