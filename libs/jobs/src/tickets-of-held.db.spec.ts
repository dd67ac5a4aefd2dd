/** Tickets of jobs whose rows somebody holds: whoever takes them waits for none, and leaves connections to everybody else. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from 'bull';
import { VersionGate } from '#libs/db';
import { happening, holding, openDb, scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import { BullJobQueue } from './bull-job-queue';
import type { JobHandlers } from './job-handlers';
import { type Job, JOB_NAMES, type JobName } from './job-names';
import { JobRunner } from './job-runner';
import { JobStore } from './job-store';

const NAME = 'events.announce';
const TICKETS = 20;

describe('tickets that Bull hands out', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  let begun: string[];
  let queue: BullJobQueue;
  let takers: Map<JobName, (ticket: { data: unknown }) => Promise<void>>;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
  });
  beforeEach(async () => {
    await scratch.db.execute('DELETE FROM jobs');
    store = new JobStore(scratch.db);
    begun = [];
    takers = new Map();
    const gate = new VersionGate();
    const handlers = { of: () => async (id: string) => void begun.push(id) } as unknown as JobHandlers;
    const queues = new Map(
      JOB_NAMES.map((name) => [
        name,
        {
          on: () => undefined,
          process: async (_: number, take: (ticket: { data: unknown }) => Promise<void>) => void takers.set(name, take),
          getWaitingCount: async () => 0,
          add: async () => ({}),
          pause: async () => undefined,
        } as unknown as Queue,
      ]),
    );
    queue = new BullJobQueue(queues, store, new JobRunner(store, handlers, gate), gate);
    await queue.onModuleInit();
  });
  afterAll(() => scratch.drop());

  const claimed = async (client: string, count: number): Promise<Job[]> => {
    await store.add(
      Array.from({ length: count }, () => ({ name: NAME, entityId: randomUUID(), lane: client }) as const),
    );
    return store.claim(NAME, count, [], 60);
  };
  const take = ({ entityId, leaseToken }: Job): Promise<void> | undefined =>
    takers.get(NAME)?.({ data: { entityId, dispatchToken: leaseToken } });
  const leases = async (): Promise<(string | null)[]> => {
    const rows = await scratch.db.rows<{ leaseToken: string | null }>('SELECT lease_token FROM jobs');
    return rows.map(({ leaseToken }) => leaseToken);
  };
  const OF_LANE = 'SELECT FROM jobs WHERE lane = $1 FOR UPDATE';

  // As a test client's clock does between the claim of its jobs and their start, and an operator who makes a client as new.
  test('of one client whose jobs somebody holds: others are served meanwhile', async () => {
    const client = randomUUID();
    const jobs = await claimed(client, TICKETS);
    expect(jobs).toHaveLength(TICKETS);
    const another = await openDb(scratch.url);
    const letGo = await holding(another.db, OF_LANE, [client]);
    const taken = jobs.map(take);
    await pause(200);
    const ofAnother = scratch.db.rows('SELECT 1').then(
      () => 'served',
      () => 'refused',
    );
    const outcome = await Promise.race([ofAnother, pause(3_000, 'still waits')]);
    await letGo();
    await Promise.all([...taken, ofAnother]);
    await another.close();
    expect(outcome).toBe('served');
  }, 60_000);

  test('are left, and their jobs to their leases, if somebody holds these for longer than a moment', async () => {
    const client = randomUUID();
    const jobs = await claimed(client, 2);
    const letGo = await holding(scratch.db, OF_LANE, [client]);
    await Promise.all(jobs.map(take));
    await letGo();
    expect(begun).toEqual([]);
    expect((await store.stillHeld(jobs)).size).toBe(2);
  });

  test('are good for a job that was held for a moment', async () => {
    const client = randomUUID();
    const [job] = await claimed(client, 1);
    const letGo = await holding(scratch.db, OF_LANE, [client]);
    const looks: boolean[] = [];
    const adopt = store.adopt.bind(store);
    jest.spyOn(store, 'adopt').mockImplementation(async (...values) => {
      const mine = await adopt(...values);
      looks.push(mine !== null);
      await letGo();
      return mine;
    });
    await take(job as Job);
    expect([looks, begun]).toEqual([[false, true], [job?.entityId]]);
    expect(await scratch.db.rows('SELECT FROM jobs')).toEqual([]);
  });

  test('are given back by a process that stops while it takes them over', async () => {
    const client = randomUUID();
    const [job] = await claimed(client, 1);
    const letGo = await holding(scratch.db, OF_LANE, [client]);
    const stopping = happening();
    let stopped = Promise.resolve();
    const adopt = store.adopt.bind(store);
    jest.spyOn(store, 'adopt').mockImplementationOnce(async (...values) => {
      const mine = await adopt(...values);
      stopped = queue.stop();
      stopping.happens();
      await letGo();
      return mine;
    });
    const taken = take(job as Job);
    await stopping.promise;
    await stopped;
    expect([begun, await leases()]).toEqual([[], [null]]);
    await taken;
    expect([begun, await leases()]).toEqual([[], [null]]);
  });

  test('that nobody took are given back by a process that stops, though somebody holds one of their jobs for a moment', async () => {
    const jobs = await claimed(randomUUID(), 3);
    for (const job of jobs) await queue.dispatch(job);
    const letGo = await holding(scratch.db, 'SELECT FROM jobs WHERE entity_id = $1 FOR UPDATE', [jobs[1]?.entityId]);
    const rows = scratch.db.rows.bind(scratch.db);
    const asked = jest.spyOn(scratch.db, 'rows').mockImplementationOnce(async (...values) => {
      const held = await rows(...values);
      await letGo();
      return held;
    });
    await queue.stop();
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
    expect(await leases()).toEqual([null, null, null]);
  });

  test('are left to their leases by a process that stops while the database says nothing', async () => {
    const [job] = await claimed(randomUUID(), 1);
    await queue.dispatch(job as Job);
    const handBack = jest.spyOn(store, 'handBack').mockReturnValue(new Promise(() => undefined));
    await queue.stop();
    expect(handBack.mock.calls).toMatchObject([[[job], false]]);
    expect(await leases()).toEqual([job?.leaseToken]);
  });

  test('that are old news are looked at once', async () => {
    const [job] = await claimed(randomUUID(), 1);
    const adopt = jest.spyOn(store, 'adopt');
    await take({ ...(job as Job), leaseToken: randomUUID() });
    expect([adopt.mock.calls.length, begun]).toEqual([1, []]);
  });
});
