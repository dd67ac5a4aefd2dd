/**
 * Point 8: slots are fair by client. The row of turns of a rail (`callsPerSecond`) is one: two processes are enough for one client's backlog to
 * keep it full, and whoever comes then is told to come again in a second, when others of that client have come first.
 */
import { randomUUID } from 'node:crypto';
import { VersionGate } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import type { JobHandlers } from '../../jobs/src/job-handlers';
import { JobPump } from '../../jobs/src/job-pump';
import { EmbeddedJobQueue } from '../../jobs/src/job-queue';
import { JobRunner } from '../../jobs/src/job-runner';
import { JobStore } from '../../jobs/src/job-store';
import type { Jobs } from '../../jobs/src/jobs';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import type { Rails } from './rails';

const RAIL = 'swap_rail';
/** As swap_rail has it. */
const CALLS_PER_SECOND = 5;
/** Three seconds of turns may wait in the row: so many of anybody's may come before somebody who has none in it. */
const A_FULL_ROW = 15;
const BACKLOG = 1_000;
const PROCESSES = 2;
const ROUNDS = 3;

describe('a rail that takes five calls a second, of two processes', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  const loud = new Set<string>();
  const called: string[] = [];
  let whenCalled: () => void = () => undefined;
  const stops: (() => Promise<void>)[] = [];

  const start = (): void => {
    const pauses = new RailPauses(
      { traits: () => ({ callsPerSecond: CALLS_PER_SECOND }) } as unknown as Rails,
      new RailLanes(scratch.db),
    );
    // As DrivePayoutJob does it: who is turned away comes back when `putOff` says.
    const handle = async (id: string) => {
      if (await pauses.turn(RAIL, 'submit')) return { againInSeconds: (await pauses.putOff(RAIL)) ?? 60 };
      called.push(id);
      whenCalled();
      return undefined;
    };
    const runner = new JobRunner(store, { of: () => handle } as unknown as JobHandlers, new VersionGate());
    runner.onModuleInit();
    const jobs = { onWork: () => undefined } as unknown as Jobs;
    const pump = new JobPump(store, new EmbeddedJobQueue(runner), jobs, runner, 5_000);
    pump.onApplicationBootstrap();
    stops.push(() => pump.beforeApplicationShutdown().then(() => runner.onApplicationShutdown()));
  };
  const until = async (is: () => boolean): Promise<void> => {
    while (!is()) await new Promise<void>((resolve) => (whenCalled = resolve));
  };
  const add = async (owner: string, count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => randomUUID());
    await store.add(ids.map((entityId) => ({ name: 'payout.drive' as const, entityId, lane: RAIL, owner })));
    return ids;
  };

  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
    for (let nth = 0; nth < PROCESSES; nth += 1) start();
  });
  afterAll(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await scratch.drop();
  });

  test('a client with a backlog does not keep it from another one', async () => {
    for (const id of await add('loud', BACKLOG)) loud.add(id);
    await until(() => called.length >= 20);
    for (let nth = 0; nth < ROUNDS; nth += 1) {
      const before = called.length;
      const [quiet] = await add('quiet', 1);
      await until(() => called.includes(quiet as string) || called.length - before > 200);
      const first = called.slice(before).findIndex((id) => !loud.has(id));
      expect(first).toBeGreaterThanOrEqual(0);
      expect(first).toBeLessThanOrEqual(2 * A_FULL_ROW);
    }
  }, 240_000);
});
