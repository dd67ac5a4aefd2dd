/** All sessions of a process are ended as it stops, or as its job fails: what it holds is handed back by the next connection, and waits for no lease. */
import { randomUUID } from 'node:crypto';
import { VersionGate } from '#libs/db';
import { openDb, PostgresProxy, scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import type { JobHandlers } from './job-handlers';
import type { Job } from './job-names';
import { JobRunner, LEASE_SECONDS } from './job-runner';
import { JobStore } from './job-store';

describe('leases of a process whose connections are ended', () => {
  let scratch: ScratchDatabase;
  let proxy: PostgresProxy;
  let store: JobStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    proxy = await PostgresProxy.start(scratch.url);
    const opened = await openDb(proxy.url);
    ({ close } = opened);
    store = new JobStore(opened.db);
  });
  afterAll(async () => {
    await close();
    await proxy.stop();
    await scratch.drop();
  });

  const claim = (): Promise<Job[]> => store.claim('payout.drive', 1, [], LEASE_SECONDS);
  const claimed = async (): Promise<Job> => {
    await store.add([{ name: 'payout.drive', entityId: randomUUID(), lane: 'a' }]);
    return (await claim())[0] as Job;
  };
  /** The next statements that write to jobs are lost with their connections. */
  const losesNext = (times: number): void => {
    let left = times;
    proxy.decide = ({ sql }) => (/UPDATE jobs|DELETE FROM jobs/.test(sql) && left-- > 0 ? 'ended before' : 'pass');
  };
  const nextClaimed = async (): Promise<string[]> => (await claim()).map(({ entityId }) => entityId);

  test('are handed back as it stops', async () => {
    const job = await claimed();
    losesNext(2);
    await store.handBack([job], true);
    expect(await nextClaimed()).toEqual([job.entityId]);
  });

  test('are handed back of a job that failed by that', async () => {
    const job = await claimed();
    const fails = (): Promise<never> => Promise.reject(new Error('its own connection was ended too'));
    const runner = new JobRunner(store, { of: () => fails } as unknown as JobHandlers, new VersionGate());
    losesNext(1);
    await runner.run(job);
    expect(await nextClaimed()).toEqual([job.entityId]);
  });

  test('of what is done, but could not be written down, too: it is looked at once more', async () => {
    const job = await claimed();
    const done = (): Promise<void> => Promise.resolve();
    const runner = new JobRunner(store, { of: () => done } as unknown as JobHandlers, new VersionGate());
    losesNext(2);
    await runner.run(job);
    expect(await nextClaimed()).toEqual([job.entityId]);
  });
});
