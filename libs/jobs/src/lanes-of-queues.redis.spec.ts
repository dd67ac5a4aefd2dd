/**
 * What one lane has waiting keeps no other lane's job from its start, whichever queue carries the news (ADR 2): also over Bull no lane has more
 * under way than it may, and its tickets do not stand in front of others'. Nor do owners whose jobs do not end, as long as somebody holds their
 * rows, keep another one's from it in the same lane (ADR 52).
 */
import { randomUUID } from 'node:crypto';
import Bull, { type Queue } from 'bull';
import { VersionGate } from '#libs/db';
import { happening, scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import { BullJobQueue } from './bull-job-queue';
import type { JobHandlers } from './job-handlers';
import { JOB_NAMES, type JobName, JOBS } from './job-names';
import { JobPump } from './job-pump';
import { EmbeddedJobQueue, type JobQueue } from './job-queue';
import { JobRunner } from './job-runner';
import { JobStore } from './job-store';
import type { Jobs } from './jobs';

/** How the ids of jobs end: those of one lane are short. */
const [LOUD, QUIET] = ['aaaa', 'eeee'];
const idThat = (end: string): string => `${randomUUID().slice(0, -end.length)}${end}`;

describe.each([
  ['embedded', 1],
  ['bull', 1],
  ['bull', 2],
])('jobs over %s, of %d processes', (kind, processes) => {
  let scratch: ScratchDb;
  let store: JobStore;
  const stops: (() => Promise<void>)[] = [];
  /** What a job of that lane waits for once it is begun. */
  let ends: Promise<void>;
  const begun: string[] = [];
  let whenBegun: () => void = () => undefined;

  const handle = async (id: string): Promise<void> => {
    begun.push(id);
    whenBegun();
    if (!id.endsWith(QUIET)) await ends;
  };
  const untilBegun = async (is: () => boolean): Promise<void> => {
    while (!is()) await new Promise<void>((resolve) => (whenBegun = resolve));
  };
  const prefix = `spec-${randomUUID()}`;
  const bull = async (runner: JobRunner, gate: VersionGate): Promise<JobQueue> => {
    const url = process.env.TEST_REDIS_URL;
    if (!url) throw new Error('TEST_REDIS_URL is not set: there is no Redis here.');
    const queues = new Map(JOB_NAMES.map((name): [JobName, Queue] => [name, new Bull(name, url, { prefix })]));
    const queue = new BullJobQueue(queues, store, runner, gate);
    await queue.onModuleInit();
    return queue;
  };
  const start = async (): Promise<void> => {
    const gate = new VersionGate();
    const runner = new JobRunner(store, { of: () => handle } as unknown as JobHandlers, gate);
    runner.onModuleInit();
    const queue = kind === 'bull' ? await bull(runner, gate) : new EmbeddedJobQueue(runner);
    const pump = new JobPump(store, queue, { onWork: () => undefined } as unknown as Jobs, runner, 5_000);
    pump.onApplicationBootstrap();
    stops.push(() => pump.beforeApplicationShutdown().then(() => runner.onApplicationShutdown()));
  };

  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
    for (let nth = 0; nth < processes; nth += 1) await start();
  });
  afterAll(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await scratch.drop();
  });
  beforeEach(() => (begun.length = 0));

  // As many as the lanes with many may have under way, of all that one process does at once.
  test.each<[JobName, number, number]>([
    ['owed.release', 1, 2],
    ['payout.drive', 1, 12],
    ['event.retry', 40, 40 * 6],
  ])(
    '%s: of %d lanes with many none keeps another one waiting',
    async (name, lanes, most) => {
      expect(most).toBeLessThan(JOBS[name].concurrency);
      const end = happening();
      ends = end.promise;
      const many = Array.from({ length: 40 * lanes }, (_, nth) => ({
        name,
        entityId: idThat(LOUD),
        lane: `loud ${nth % lanes}`,
      }));
      await store.add(many);
      await untilBegun(() => begun.length >= most);
      for (let nth = 0; nth < 3; nth += 1) {
        const quiet = idThat(QUIET);
        await store.add([{ name, entityId: quiet, lane: 'quiet' }]);
        await untilBegun(() => begun.includes(quiet));
      }
      // One of several may have more: as many as it does at once it gets from others' tickets, and as many are done here if nobody took them in time.
      const loud = begun.filter((id) => id.endsWith(LOUD)).length;
      expect(loud).toBeGreaterThanOrEqual(most);
      expect(loud).toBeLessThanOrEqual(processes === 1 ? most : processes * (2 * JOBS[name].concurrency + 8));
      end.happens();
      await untilBegun(() => begun.length >= many.length + 3);
    },
    60_000,
  );

  test('payout.drive: in a lane in which one owner has many another one has its turn', async () => {
    const [name, lane] = ['payout.drive', 'rail'] as const;
    const end = happening();
    ends = end.promise;
    const many = Array.from({ length: 80 }, () => ({ name, lane, owner: 'loud', entityId: idThat(LOUD) }));
    await store.add(many);
    await untilBegun(() => begun.length >= 10 * processes);
    for (let nth = 0; nth < 3; nth += 1) {
      const quiet = idThat(QUIET);
      await store.add([{ name, entityId: quiet, lane, owner: 'quiet' }]);
      await untilBegun(() => begun.includes(quiet));
    }
    end.happens();
    await untilBegun(() => begun.length >= many.length + 3);
  }, 60_000);
});
