/**
 * A list may hold all that a rail moved in days, and comparisons are made each minute on a few connections. However PostgreSQL plans the
 * statement, each payout is looked up in the list, and not held against each code of it.
 */
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { MISSING } from './paid-but-not-listed.reads';

describe('what a rail does not list', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test.each([
    ['once for all values', 'force_generic_plan', `'{}'`],
    ['for a very long list', 'force_custom_plan', `string_to_array(repeat('code ', 300000), ' ')`],
  ])('is looked up, if that was planned %s', async (_, mode, list) => {
    const plan = await scratch.db.inTransaction(async () => {
      await scratch.db.execute(`SET LOCAL plan_cache_mode = ${mode}`);
      await scratch.db.execute(`PREPARE missing (text, timestamptz, text[], timestamptz, int) AS ${MISSING}`);
      const lines = await scratch.db.rows<object>(`EXPLAIN EXECUTE missing ('at_once', now(), ${list}, now(), 0)`);
      await scratch.db.execute('DEALLOCATE missing');
      return lines.map((line) => String(Object.values(line)[0])).join('\n');
    });
    expect(plan).toContain('hashed SubPlan');
  });
});
