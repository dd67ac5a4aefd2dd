/** Tickets of jobs whose rows somebody holds: whoever takes them waits, and leaves connections to everybody else. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from 'bull';
import { VersionGate } from '#libs/db';
import { holding, openDb, scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import { BullJobQueue } from './bull-job-queue';
import type { JobHandlers } from './job-handlers';
import { JOB_NAMES, type JobName } from './job-names';
import { JobRunner } from './job-runner';
import { JobStore } from './job-store';

const NAME = 'events.announce';
const TICKETS = 20;

describe('tickets that Bull hands out', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  // As a test client's clock does between the claim of its jobs and their start, and an operator who makes a client as new.
  test('of one client whose jobs somebody holds: others are served meanwhile', async () => {
    const store = new JobStore(scratch.db);
    const gate = new VersionGate();
    const handlers = { of: () => async () => undefined } as unknown as JobHandlers;
    const takers = new Map<JobName, (ticket: { data: unknown }) => Promise<void>>();
    const queues = new Map(
      JOB_NAMES.map((name) => [
        name,
        {
          on: () => undefined,
          process: async (_: number, take: (ticket: { data: unknown }) => Promise<void>) => void takers.set(name, take),
          getWaitingCount: async () => 0,
        } as unknown as Queue,
      ]),
    );
    await new BullJobQueue(queues, store, new JobRunner(store, handlers, gate), gate).onModuleInit();
    const client = randomUUID();
    await store.add(
      Array.from({ length: TICKETS }, () => ({ name: NAME, entityId: randomUUID(), lane: client }) as const),
    );
    const claimed = await store.claim(NAME, TICKETS, [], 60);
    expect(claimed).toHaveLength(TICKETS);
    const another = await openDb(scratch.url);
    const letGo = await holding(another.db, 'SELECT FROM jobs WHERE lane = $1 FOR UPDATE', [client]);
    const taken = claimed.map(({ entityId, leaseToken }) =>
      takers.get(NAME)?.({ data: { entityId, dispatchToken: leaseToken } }),
    );
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
});
