/** A job of a client whose rows somebody holds keeps no other client's from a rail, also where a lane has one place (ADR 52). */
import { randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import type { JobName } from './job-names';
import { JobStore } from './job-store';

describe('while a job of a client waits for its rows', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
  });
  afterAll(() => scratch.drop());

  // Of so many other rails something of the kind is there, also if it is not due.
  test.each<[JobName, number, number]>([
    ['payout.look', 8, 3],
    ['payout.look_for_reader', 4, 1],
    ['payees.read_account', 8, 3],
    ['payout.retry', 8, 3],
  ])('%s of another client on its rail begins', async (name, concurrency, otherRails) => {
    for (let nth = 0; nth < otherRails; nth += 1)
      await store.add([{ name, entityId: randomUUID(), lane: `rail ${nth}`, owner: 'somebody', delaySeconds: 300 }]);
    await store.add([{ name, entityId: randomUUID(), lane: 'rail', owner: 'held' }]);
    const held = await store.claim(name, concurrency, [], 60);
    expect(held).toHaveLength(1);
    await store.add([{ name, entityId: randomUUID(), lane: 'rail', owner: 'quiet' }]);
    const begun = await store.claim(name, concurrency - 1, held, 60);
    expect(begun.map(({ owner }) => owner)).toEqual(['quiet']);
  });
});
