/** A rail that was configured, and paid over, in the time that a restore lost: its database never heard of it. */
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailIdentity } from './rail-identity';
import { RailLanes } from './rail-lanes';

describe('a rail that is bound for the first time', () => {
  let scratch: ScratchDb;
  let lanes: RailLanes;
  beforeAll(async () => {
    scratch = await scratchDb();
    lanes = new RailLanes(scratch.db);
  });
  afterAll(() => scratch.drop());
  beforeEach(() => scratch.db.execute('DELETE FROM rail_scans'));

  const bind = (rail: string): Promise<boolean> =>
    new RailIdentity(scratch.db, lanes).judge(rail, { kind: 'works', account: `acct_${rail}`, mode: 'sandbox' });
  const awaited = async (): Promise<string[]> => (await lanes.awaited()).map(({ rail }) => rail);
  /** `used` is a rail of the backup. */
  const isRestored = (used: string): Promise<unknown> =>
    scratch.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until, restored_at) VALUES ($1, now() - interval '11 minutes', now())`,
      [used],
    );

  test('is waited for while a restored database waits for others, and once only', async () => {
    await bind('early');
    await isRestored('used');
    await bind('late');
    await bind('mock');
    expect(await awaited()).toEqual(['late', 'used']);
    await scratch.db.execute(`UPDATE rail_scans SET restored_at = NULL WHERE rail = 'late'`);
    await bind('late');
    expect(await awaited()).toEqual(['used']);
  });

  test('is waited for although its list was looked for first', async () => {
    await isRestored('used');
    await scratch.db.execute(`INSERT INTO rail_scans (rail, scanned_until) VALUES ('looked_for', now())`);
    await bind('looked_for');
    expect(await awaited()).toEqual(['looked_for', 'used']);
  });

  test('is waited for in no other database', async () => {
    await bind('first');
    await isRestored('used');
    await scratch.db.execute('UPDATE rail_scans SET scanned_until = now()');
    await bind('second');
    expect(await awaited()).toEqual([]);
  });
});
