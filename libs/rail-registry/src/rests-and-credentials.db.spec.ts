/** A provider wants to be left alone for long, and says of a call that left before that it does not know our key. */
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import { RailIdentity } from './rail-identity';
import { RailLanes } from './rail-lanes';

describe('the lane of a rail whose provider wants to be left alone', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test('stays closed for as long when a payout is refused for its credentials meanwhile', async () => {
    const lanes = new RailLanes(scratch.db);
    await lanes.pause('rested', 3_600, 'maintenance');
    await new RailIdentity(scratch.db, lanes).refused('rested', 'no such key');
    // The other processes know of the rest by this row alone.
    expect((await lanes.closure('rested'))?.seconds).toBeGreaterThan(3_000);
  });
});
