/** A rail that a restored database never heard of is bound by an admin, before the service came to that: it is waited for all the same. */
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailIdentity } from './rail-identity';
import { RailLanes } from './rail-lanes';

describe('a rail that an admin binds while a restored database waits for others', () => {
  let scratch: ScratchDb;
  let lanes: RailLanes;
  beforeAll(async () => {
    scratch = await scratchDb();
    lanes = new RailLanes(scratch.db);
  });
  afterAll(() => scratch.drop());

  test('is waited for as if it had bound itself', async () => {
    await scratch.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until, restored_at) VALUES ('used', now() - interval '11 minutes', now())`,
    );
    const identity = new RailIdentity(scratch.db, lanes);
    await scratch.db.inTransaction(() => identity.rebind('late', { account: 'acct_late', mode: 'sandbox' }));
    await identity.judge('late', { kind: 'works', account: 'acct_late', mode: 'sandbox' });
    expect((await lanes.awaited()).map(({ rail }) => rail)).toEqual(['late', 'used']);
  });
});
