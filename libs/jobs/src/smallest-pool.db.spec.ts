/** The smallest pool that DATABASE_POOL takes: one client whose rows somebody holds leaves a connection to all others (ADR 126). */
import { randomUUID } from 'node:crypto';
import { onBehalf } from '#libs/db';
import { holding, openDb, scratchDb, type ScratchDb } from '#libs/db/testing';
import type { Job } from './job-names';
import { JobStore } from './job-store';

const NAME = 'events.announce';
const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

describe('a pool of four', () => {
  let scratch: ScratchDb;
  let small: Awaited<ReturnType<typeof openDb>>;
  beforeAll(async () => {
    scratch = await scratchDb();
    small = await openDb(scratch.url, { max: 4 });
    await scratch.db.execute('CREATE TABLE things (id int PRIMARY KEY, changes int NOT NULL)');
    await scratch.db.execute('INSERT INTO things SELECT id, 0 FROM generate_series(0, 99) AS id');
  });
  afterAll(async () => {
    await small.close();
    await scratch.drop();
  });

  const change = (id: number): Promise<number> =>
    small.db.inTransaction(() => small.db.execute('UPDATE things SET changes = changes + 1 WHERE id = $1', [id]));

  const untilWait = async (count: number): Promise<void> => {
    while ((await scratch.db.rows(WAITING)).length < count) await new Promise((resolve) => setImmediate(resolve));
  };

  // As a test client's clock does: it holds all rows of one client, and its jobs.
  test('serves others while requests of one client wait for its rows, and a job of it for its lease', async () => {
    const store = new JobStore(small.db);
    const loud = randomUUID();
    await store.add([{ name: NAME, entityId: randomUUID(), lane: loud }]);
    const [job] = await store.claim(NAME, 1, [], 60);
    const letGo = await holding(scratch.db, 'SELECT FROM things WHERE id < 50 FOR UPDATE', []);
    const letGoJobs = await holding(scratch.db, 'SELECT FROM jobs FOR UPDATE', []);
    const waiting = Promise.allSettled(Array.from({ length: 10 }, (_, id) => onBehalf(loud, () => change(id))));
    await untilWait(2);
    const renewal = Promise.allSettled([store.renew([job as Job], 60)]);
    await untilWait(3);
    expect(await onBehalf('quiet', () => change(99))).toBe(1);
    await letGoJobs();
    await letGo();
    await Promise.all([waiting, renewal]);
  });
});
