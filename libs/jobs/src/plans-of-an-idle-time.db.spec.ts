/**
 * What a look at jobs reads does not depend on when its connection planned it (ADR 52): a plan that was made while hardly any job was there would
 * read the whole table, until autovacuum has looked at it again.
 */
import { randomUUID } from 'node:crypto';
import { manyJobs, noJobs, openDb, rowsRead, scratchDb, type ScratchDb } from '#libs/db/testing';
import type { Job } from './job-names';
import { JobStore } from './job-store';

const NAME = 'payout.drive';
const MANY = 50_000;

describe('a connection that has looked for jobs while there were few', () => {
  let scratch: ScratchDb;
  let idle: Awaited<ReturnType<typeof openDb>>;
  beforeAll(async () => {
    scratch = await scratchDb();
    idle = await openDb(scratch.url, { max: 1 });
  });
  afterAll(async () => {
    await idle.close();
    await scratch.drop();
  });

  test('goes through few of very many', async () => {
    const store = new JobStore(idle.db);
    const read: Record<string, number> = {};
    const counted = async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
      const before = await rowsRead(idle.db);
      const answer = await ask();
      read[what] = (await rowsRead(idle.db)) - before;
      return answer;
    };
    const round = async (): Promise<void> => {
      const entityIds = Array.from({ length: 4 }, () => randomUUID());
      await store.add(entityIds.map((entityId) => ({ name: NAME, entityId, lane: 'rail', owner: 'quiet' })));
      await counted('due', () => store.due());
      const jobs = (await counted('claim', () => store.claim(NAME, 16, [], 60))).slice(-4) as [Job, Job, Job, Job];
      const [first, second, third, last] = jobs;
      const adopted = await counted('adopt', () => store.adopt(NAME, first.entityId, first.leaseToken, 60));
      await counted('stillHeld', () => store.stillHeld(jobs));
      await counted('renew', () => store.renew(jobs, 60));
      await counted('putBack', () => store.putBack(second, 60, null, false));
      await counted('handBack', () => store.handBack([third], false));
      await counted('remove', () => store.remove(NAME, [second.entityId, third.entityId]));
      await counted('finish', () => store.finish(last));
      await counted('finishFree', () => store.finishFree([adopted ?? first]));
    };
    await noJobs(scratch.db);
    for (let nth = 0; nth < 12; nth += 1) await round();
    await manyJobs(scratch.db, MANY, NAME, -1);
    await round();
    expect(Object.entries(read).filter(([, rows]) => rows > MANY / 10)).toEqual([]);
  });
});
