/**
 * A client that is made as new, or whose clock is moved, holds all of its jobs until the end: whoever looks for others' jobs meanwhile does
 * not go through them all (ADR 52).
 */
import { randomUUID } from 'node:crypto';
import { holding, mostRowsOf, scratchDb, type ScratchDb } from '#libs/db/testing';
import { JobStore } from './job-store';

const NAME = 'events.announce';
const MANY = 20_000;

describe('while the jobs of a client that has many are held', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
    await scratch.db.execute(
      `INSERT INTO jobs (name, entity_id, lane, owner, run_at, created_at)
       SELECT $1, gen_random_uuid(), 'loud', '', now() - interval '1 second', now() FROM generate_series(1, $2::int)`,
      [NAME, MANY],
    );
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => scratch.drop());

  test('a claim goes through few of them, whatever PostgreSQL knows of their number', async () => {
    const letGo = await holding(scratch.db, `SELECT FROM jobs WHERE lane = 'loud' FOR UPDATE`, []);
    const asked = jest.spyOn(scratch.db, 'rows');
    const goneThrough: number[] = [];
    for (const learn of ['SELECT 1', 'ANALYZE jobs']) {
      await scratch.db.execute(learn);
      const entityId = randomUUID();
      await store.add([{ name: NAME, entityId, lane: 'quiet' }]);
      expect((await store.claim(NAME, 512, [], 60)).map((job) => job.entityId)).toEqual([entityId]);
      const [sql, values] = asked.mock.calls.at(-1) ?? ['', []];
      goneThrough.push(await mostRowsOf(scratch.db, sql, values as unknown[]));
    }
    await letGo();
    expect(Math.max(...goneThrough)).toBeLessThan(MANY / 10);
  });
});
