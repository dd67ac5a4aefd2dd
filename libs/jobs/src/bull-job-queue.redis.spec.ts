import { randomUUID } from 'node:crypto';
import Bull, { type Queue } from 'bull';
import { VersionGate } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import { BullJobQueue } from './bull-job-queue';
import type { JobHandlers } from './job-handlers';
import { type Job, JOB_NAMES, type JobName } from './job-names';
import { JobRunner } from './job-runner';
import { JobStore } from './job-store';

const NAME = 'payout.drive';

describe('jobs over redis and bull', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  let queues: Map<JobName, Queue>;
  let dispatching: BullJobQueue;
  const done: string[] = [];

  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
    const url = process.env.TEST_REDIS_URL;
    if (!url) throw new Error('TEST_REDIS_URL is not set: there is no Redis here.');
    // Queues of this spec's own, that no other run sees.
    const prefix = `spec-${randomUUID()}`;
    queues = new Map(JOB_NAMES.map((name) => [name, new Bull(name, url, { prefix })]));
    const handlers = { of: () => async (entityId: string) => void done.push(entityId) } as unknown as JobHandlers;
    const gate = new VersionGate();
    // Not initialized, it dispatches and consumes nothing: as when the consumer died quietly.
    dispatching = new BullJobQueue(queues, store, new JobRunner(store, handlers, gate), gate);
  });
  afterAll(async () => {
    await Promise.all([...queues.values()].map((queue) => queue.close(true)));
    await scratch.drop();
  });

  const claim = async (leaseSeconds: number): Promise<Job> => {
    const [job] = await store.claim(NAME, 1, [], leaseSeconds);
    if (!job) throw new Error('There is no job to claim.');
    return job;
  };

  test('what nobody took from Bull until its lease lapsed is done by whoever finds it', async () => {
    const id = randomUUID();
    await store.add([{ name: NAME, entityId: id, lane: 'a' }]);
    const first = await claim(-1);
    expect(first.lapsed).toBe(false);
    await dispatching.dispatch(first);
    expect([done, await queues.get(NAME)?.getWaitingCount()]).toEqual([[], 1]);
    const again = await claim(60);
    expect(again).toMatchObject({ entityId: id, lapsed: true });
    await dispatching.dispatch(again);
    expect(done).toEqual([id]);
    // No second ticket was made of it, and the job is done.
    expect(await queues.get(NAME)?.getWaitingCount()).toBe(1);
    expect(await scratch.db.rows('SELECT FROM jobs')).toEqual([]);
  });

  test('a ticket whose job was done meanwhile does nothing', async () => {
    const ticket = (await queues.get(NAME)?.getWaiting())?.[0]?.data as { entityId: string; dispatchToken: string };
    expect(await store.adopt(NAME, ticket.entityId, ticket.dispatchToken, 60)).toBeNull();
  });

  test('a ticket has a place in its lane until somebody takes it, also another process', async () => {
    const id = randomUUID();
    await store.add([{ name: NAME, entityId: id, lane: 'a' }]);
    const job = await claim(60);
    await dispatching.dispatch(job);
    for (const dispatched of [[job], []])
      expect(await dispatching.places(NAME, dispatched)).toMatchObject([{ lane: 'a', entityId: id }]);
    const taken = await store.adopt(NAME, id, job.leaseToken, 60);
    expect(await dispatching.places(NAME, [])).toEqual([]);
    await store.finish(taken as Job);
  });

  test('that Redis does not answer is known while there is nothing to do', async () => {
    const lost = new Bull(NAME, 'redis://127.0.0.1:1', { prefix: 'nobody' });
    lost.on('error', () => undefined);
    const gate = new VersionGate();
    const runner = new JobRunner(store, {} as JobHandlers, gate);
    const idle = new BullJobQueue(new Map([...queues, [NAME, lost]]), store, runner, gate);
    await idle.look();
    expect(idle.trouble()).toBe('redis does not answer');
    await dispatching.look();
    expect(dispatching.trouble()).toBeNull();
    for (const client of lost.clients) client.disconnect();
  });
});
