/** The clock of the database is set back by an hour, as by a failover: what a dead worker held, and what was due, does not wait for that hour. */
import { randomUUID } from 'node:crypto';
import { setLogLevel } from '#libs/telemetry';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { FollowClock } from './follow-clock';
import { JobStore } from './job-store';

/** As long as it was not looked at before the clock was set back, in seconds, however slow the machine: far from the hour. */
const A_WHILE = 600;

describe('jobs after the clock of the database was set back', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  let clock: FollowClock;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
    clock = new FollowClock(scratch.db);
  });
  beforeEach(async () => {
    await scratch.db.execute('DELETE FROM jobs');
    await clock.follow();
  });
  afterAll(() => scratch.drop());

  const add = (delaySeconds = 0): Promise<void> =>
    store.add([{ name: 'payout.drive', entityId: randomUUID(), lane: 'a', delaySeconds }]);
  /** What was written as now() is an hour ahead of the clock from here on. */
  const setBack = async (): Promise<void> => {
    await scratch.db.execute(`UPDATE jobs SET run_at = run_at + interval '1 hour'`);
    await scratch.db.execute(`UPDATE jobs_clock SET seen_at = seen_at + interval '1 hour'`);
  };
  const runAt = async (): Promise<Date | undefined> =>
    (await scratch.db.row<{ runAt: Date }>('SELECT run_at FROM jobs'))?.runAt;
  const dueIn = async (): Promise<number | undefined> => {
    const job = await scratch.db.row<{ seconds: number }>(
      'SELECT extract(epoch FROM run_at - now())::float8 AS seconds FROM jobs',
    );
    return job?.seconds;
  };

  test('a lease of a worker that died ends soon', async () => {
    await add();
    expect(await store.claim('payout.drive', 1, [], 6)).toHaveLength(1);
    await setBack();
    await clock.follow();
    expect(await dueIn()).toBeLessThan(A_WHILE);
  });

  test('so does what was due at once', async () => {
    await add();
    await setBack();
    await clock.follow();
    expect(await dueIn()).toBeLessThan(A_WHILE);
  });

  test('what waits for a time waits as long as it had to, and comes forward once', async () => {
    await add(1_000_000);
    await setBack();
    await clock.follow();
    await clock.follow();
    const seconds = await dueIn();
    expect(seconds).toBeGreaterThan(1_000_000 - 3_600);
    expect(seconds).toBeLessThan(1_000_000 + A_WHILE);
  });

  test('of two processes that look at once, one moves it', async () => {
    await add(1_000_000);
    await setBack();
    await Promise.all([clock.follow(), new FollowClock(scratch.db).follow()]);
    expect(await dueIn()).toBeGreaterThan(1_000_000 - 3_600);
  });

  test('a worker that took its lease since keeps it', async () => {
    await add();
    await scratch.db.execute(`UPDATE jobs_clock SET seen_at = seen_at + interval '1 hour'`);
    expect(await store.claim('payout.drive', 1, [], 6)).toHaveLength(1);
    const lease = await runAt();
    await clock.follow();
    expect(await runAt()).toEqual(lease);
  });

  test('nor does what was written while the clock was an hour ahead for a moment, in which it was looked at', async () => {
    await scratch.db.execute(`UPDATE jobs_clock SET seen_at = seen_at - interval '1 hour'`);
    await add();
    await clock.follow();
    await setBack();
    await clock.follow();
    expect(await dueIn()).toBeLessThan(A_WHILE);
  });

  test('is looked at more often than anything is set ahead and back', () => {
    const { timeout } = Reflect.getMetadata('SCHEDULE_INTERVAL_OPTIONS', FollowClock.prototype.onSchedule) as {
      timeout: number;
    };
    expect(timeout).toBeLessThanOrEqual(1_000);
  });

  test('a clock that goes on as it should moves nothing', async () => {
    await add(100);
    const due = await runAt();
    await clock.follow();
    expect(await runAt()).toEqual(due);
  });
});
