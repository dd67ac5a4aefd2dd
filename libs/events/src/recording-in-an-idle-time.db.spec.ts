/** What an attempt came to is written without a look at all jobs, also by a connection that planned it when nothing waited and autovacuum was there. */
import { randomUUID } from 'node:crypto';
import { manyJobs, noJobs, openDb, rowsRead, scratchDb, type ScratchDb } from '#libs/db/testing';
import { EventBook, type Made } from './event.book';

const MANY = 50_000;

describe('recording an attempt', () => {
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

  const made = (): Made => ({
    event: {
      id: randomUUID(),
      clientId: randomUUID(),
      job: { name: 'events.announce', entityId: randomUUID(), leaseToken: randomUUID() },
      attempts: 0,
      dueAt: null,
    },
    record: { status: 'delivered', attempts: 1, statusCode: 200, error: null, againInSeconds: null, attempt: null },
  });

  test('goes through few jobs of very many', async () => {
    await noJobs(scratch.db);
    const book = new EventBook(idle.db);
    for (let nth = 0; nth < 12; nth += 1) await book.recordFree([made()]);
    await manyJobs(scratch.db, MANY, 'event.retry', 60);
    const before = await rowsRead(idle.db);
    await book.recordFree([made()]);
    expect((await rowsRead(idle.db)) - before).toBeLessThan(MANY / 10);
  });
});
