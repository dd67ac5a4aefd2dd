/** A database that says nothing any more keeps no process that stops: what it holds is left to its leases. */
import { happening } from '#libs/db/testing';
import { VersionGate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import type { JobHandlers } from './job-handlers';
import type { Job } from './job-names';
import { JobPump } from './job-pump';
import { EmbeddedJobQueue } from './job-queue';
import { JobRunner } from './job-runner';
import type { JobStore } from './job-store';
import type { Jobs } from './jobs';

const never = (): Promise<never> => new Promise(() => undefined);
/** As long as a test may take: nobody waits for so long. */
const STOP_WITHIN_MS = 300_000;

describe('a process that stops while the database says nothing', () => {
  beforeAll(() => setLogLevel('silent'));

  const runnerOf = (store: Partial<JobStore>): JobRunner =>
    new JobRunner(store as JobStore, { of: () => never } as unknown as JobHandlers, new VersionGate());

  test('does not wait for a look for jobs to end', async () => {
    const looks = happening();
    const due = (): Promise<never> => {
      looks.happens();
      return never();
    };
    const runner = runnerOf({});
    const jobs = { onWork: () => undefined } as unknown as Jobs;
    const pump = new JobPump(
      { due } as unknown as JobStore,
      new EmbeddedJobQueue(runner),
      jobs,
      runner,
      STOP_WITHIN_MS,
    );
    pump.onApplicationBootstrap();
    await looks.promise;
    await pump.beforeApplicationShutdown();
  });

  test('does not wait for its leases to be handed back', async () => {
    const handBack = jest.fn(never);
    const runner = runnerOf({ handBack });
    const job = { name: 'payout.drive', entityId: 'one', lane: 'a', owner: 'b', attempts: 1 } as Job;
    void runner.run(job);
    await runner.finish(0);
    await runner.cutOff;
    expect(handBack.mock.calls).toEqual([[[job], true]]);
  });
});
