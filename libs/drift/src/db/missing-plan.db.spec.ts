/**
 * A list holds all that a rail moved in days, and a comparison is made each minute on a few connections. After five times PostgreSQL may plan
 * a statement once for all values: also then each payout is looked up in the list, and not held against each code of it.
 */
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { MISSING } from './compared';

describe('what a rail does not list', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test('is looked up, whoever planned it', async () => {
    const plan = await scratch.db.inTransaction(async () => {
      await scratch.db.execute('SET LOCAL plan_cache_mode = force_generic_plan');
      await scratch.db.execute(`PREPARE missing (text, timestamptz, text[], timestamptz, int) AS ${MISSING}`);
      return scratch.db.rows<object>(`EXPLAIN EXECUTE missing ('at_once', now(), '{}', now(), 0)`);
    });
    const lines = plan.map((line) => String(Object.values(line)[0])).filter((line) => line.includes('rail_key'));
    expect(lines.join('\n')).toContain('(rail_key = (hashed SubPlan');
    expect(lines.join('\n')).not.toContain('($3)');
  });
});
