/**
 * After a restore a rail is waited for only if it is configured. One that was retired before is marked too, and nothing ends that by itself:
 * `gw rails compared` is refused of one that listed. What is bound for the first time a year later waits with it.
 */
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailIdentity } from './rail-identity';
import { RailLanes } from './rail-lanes';

describe('a rail that is configured for the first time long after a restore', () => {
  let scratch: ScratchDb;
  let lanes: RailLanes;
  beforeAll(async () => {
    scratch = await scratchDb();
    lanes = new RailLanes(scratch.db);
  });
  afterAll(() => scratch.drop());

  const bind = (rail: string): Promise<boolean> =>
    new RailIdentity(scratch.db, lanes).judge(rail, { kind: 'works', account: `acct_${rail}`, mode: 'sandbox' });

  test('is not waited for because of one that is in use no more', async () => {
    // Both were marked a year ago. The one that is configured was compared with a minute later, and each minute since.
    await scratch.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until, restored_at) VALUES
         ('retired', now() - interval '366 days', now() - interval '365 days'),
         ('in_use', now() - interval '1 minute', now() - interval '365 days')`,
    );
    await bind('new');
    expect((await lanes.awaited()).map(({ rail }) => rail)).not.toContain('new');
  });
});
