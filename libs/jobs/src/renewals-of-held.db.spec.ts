/** Jobs whose rows somebody holds for long: their leases wait, all together with one connection, and leave the others to everybody else. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { VersionGate } from '#libs/db';
import { holding, scratchDb, type ScratchDb } from '#libs/db/testing';
import type { JobHandlers } from './job-handlers';
import { JobRunner, LEASE_SECONDS, RENEW_MS } from './job-runner';
import { JobStore } from './job-store';

const JOBS_UNDER_WAY = 40;
const RENEWALS = 7;

describe('jobs of one client that are under way', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  // As a test client's clock does, and an operator who makes a client as new.
  test('while somebody holds their rows: no more than one or two connections wait for them', async () => {
    const store = new JobStore(scratch.db);
    let finish: () => void = () => undefined;
    const work = new Promise<void>((resolve) => (finish = resolve));
    const runner = new JobRunner(store, { of: () => () => work } as unknown as JobHandlers, new VersionGate());
    const client = randomUUID();
    await store.add(
      Array.from(
        { length: JOBS_UNDER_WAY },
        () => ({ name: 'events.announce', entityId: randomUUID(), lane: client }) as const,
      ),
    );
    const running = (await store.claim('events.announce', JOBS_UNDER_WAY, [], LEASE_SECONDS)).map((job) =>
      runner.run(job),
    );
    expect(running).toHaveLength(JOBS_UNDER_WAY);
    const letGo = await holding(scratch.db, 'SELECT FROM jobs WHERE lane = $1 FOR UPDATE', [client]);
    runner.onModuleInit();
    await pause(RENEWALS * RENEW_MS + RENEW_MS / 2);
    const [waiting] = await scratch.db.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    await letGo();
    finish();
    await Promise.all(running);
    runner.onApplicationShutdown();
    expect(waiting?.count).toBeLessThanOrEqual(2);
  }, 60_000);

  test('are leased from when their rows are free again, and not from when somebody began to wait for them', async () => {
    const { db } = scratch;
    const store = new JobStore(db);
    const entityId = randomUUID();
    await store.add([{ name: 'events.announce', entityId, lane: randomUUID() }]);
    const jobs = await store.claim('events.announce', 1, [], LEASE_SECONDS);
    const letGo = await holding(db, 'SELECT FROM jobs WHERE entity_id = $1 FOR UPDATE', [entityId]);
    const renewed = store.renew(jobs, 0);
    let freed: { at: string } | null = null;
    while (freed === null)
      freed = await db.row<{ at: string }>(
        `SELECT clock_timestamp()::text AS at FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`,
      );
    await letGo();
    await renewed;
    expect(
      await db.rows('SELECT FROM jobs WHERE entity_id = $1 AND run_at >= $2::timestamptz', [entityId, freed.at]),
    ).toHaveLength(1);
  });
});
