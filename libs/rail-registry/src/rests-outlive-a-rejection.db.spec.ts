/** A provider wants to be left alone for long, and its key is rejected, and replaced, meanwhile. */
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

  test('stays closed for as long when its key is not known in between, and is known again', async () => {
    const lanes = new RailLanes(scratch.db);
    const identity = new RailIdentity(scratch.db, lanes);
    await identity.judge('rested', { kind: 'works', account: 'acct_1', mode: 'live' });
    await lanes.pause('rested', 3_600, 'maintenance');
    // Another process, which knows of the rest by that row alone, has the key looked at.
    await identity.judge('rested', { kind: 'rejected', detail: 'no such key' });
    await identity.judge('rested', { kind: 'works', account: 'acct_1', mode: 'live' });
    expect((await lanes.closure('rested'))?.seconds ?? 0).toBeGreaterThan(3_000);
  });

  test('stays closed for as long when a payout that left before is refused for a key that is not known any more', async () => {
    const lanes = new RailLanes(scratch.db);
    const identity = new RailIdentity(scratch.db, lanes);
    await lanes.pause('in flight', 3_600, 'maintenance');
    await identity.judge('in flight', { kind: 'rejected', detail: 'no such key' });
    await identity.refused('in flight', 'no such key');
    expect((await lanes.closure('in flight'))?.seconds ?? 0).toBeGreaterThan(3_000);
  });

  test('is closed for as long when it asks for that while the old key is not known, as when keys are replaced', async () => {
    const lanes = new RailLanes(scratch.db);
    const identity = new RailIdentity(scratch.db, lanes);
    await identity.judge('replaced', { kind: 'works', account: 'acct_1', mode: 'live' });
    // A process that has the old key still.
    await identity.judge('replaced', { kind: 'rejected', detail: 'no such key' });
    // One that has the new one asks about a payout, and then has the key looked at.
    await lanes.pause('replaced', 3_600, 'maintenance');
    await identity.judge('replaced', { kind: 'works', account: 'acct_1', mode: 'live' });
    expect((await lanes.closure('replaced'))?.seconds ?? 0).toBeGreaterThan(3_000);
  });
});
