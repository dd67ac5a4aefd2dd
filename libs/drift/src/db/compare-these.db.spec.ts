/** Before rows leave again each of their old payouts is compared with what its rail listed of it: however much that listed lately of others. */
import type { Db } from '#libs/db';
import { mostRowsOf, scratchDb, type ScratchDb } from '#libs/db/testing';
import { COMPARE_THESE, COMPARE_TOO } from './compared';

const OTHERS = 2_000;

describe('what a rail listed under one code', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
    const { db } = scratch;
    await db.execute(`INSERT INTO rail_scans (rail, scanned_until) VALUES ('at_once', now())`);
    await listed(db, 'SELECT $1::text || nth FROM generate_series(1, $2::int) AS nth', ['other ', OTHERS]);
    await listed(db, 'SELECT $1::text WHERE $2 > 0', ['this one', 1]);
    await db.execute('ANALYZE rail_movements');
  });
  afterAll(() => scratch.drop());

  const listed = (db: Db, codes: string, values: (string | number)[]): Promise<number> =>
    db.execute(
      `INSERT INTO rail_movements (rail, rail_key, movement, currency, amount_cents, direction, listed_at)
       SELECT 'at_once', code, 'one', 'USD', 100, 'out', now() - interval '6 minutes' FROM (${codes}) AS these (code)`,
      values,
    );
  test('is found without reading what it listed under others, which a comparison reads', async () => {
    expect(await mostRowsOf(scratch.db, COMPARE_TOO, ['at_once'])).toBeGreaterThanOrEqual(OTHERS);
    expect(await mostRowsOf(scratch.db, COMPARE_THESE, ['at_once', ['this one']])).toBeLessThan(10);
  });
});
