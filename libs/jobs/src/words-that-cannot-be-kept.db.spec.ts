/**
 * A job fails with words that the database cannot keep, as a provider's answer with a NUL in it: it waits all the same before it is tried again, and does not
 * come due at once, for ever.
 */
import { randomUUID } from 'node:crypto';
import { VersionGate } from '#libs/db';
import { openDb, scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import type { JobHandlers } from './job-handlers';
import type { Job } from './job-names';
import { JobRunner, LEASE_SECONDS } from './job-runner';
import { JobStore } from './job-store';

describe('a job that fails with words that cannot be kept', () => {
  let scratch: ScratchDatabase;
  let store: JobStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    const opened = await openDb(scratch.url);
    ({ close } = opened);
    store = new JobStore(opened.db);
  });
  afterAll(async () => {
    await close();
    await scratch.drop();
  });

  test.each(['plain words', 'words with a \0 in them'])('is not due at once: %j', async (words) => {
    const entityId = randomUUID();
    await store.add([{ name: 'payout.drive', entityId, lane: entityId }]);
    const [job] = await store.claim('payout.drive', 1, [], LEASE_SECONDS);
    const fails = (): Promise<never> => Promise.reject(new Error(words));
    const runner = new JobRunner(store, { of: () => fails } as unknown as JobHandlers, new VersionGate());
    await runner.run(job as Job);
    expect((await store.claim('payout.drive', 1, [], LEASE_SECONDS)).map((due) => due.entityId)).toEqual([]);
  });
});
