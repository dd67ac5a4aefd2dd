/**
 * Others' turns in a lane in which one owner has more than its part, as one whose rows are held and that came before other lanes had work:
 * they come in their turn also while other lanes can use all places that fall free (ADR 52).
 */
import { randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import type { Job } from './job-names';
import { JobStore } from './job-store';

const NAME = 'payout.drive';
const CONCURRENCY = 16;

describe('an owner without a place in a lane in which another one has more than its part', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
  });
  beforeEach(() => scratch.db.execute('DELETE FROM jobs'));
  afterAll(() => scratch.drop());

  const add = (lane: string, owner: string, count: number): Promise<void> =>
    store.add(Array.from({ length: count }, () => ({ name: NAME, entityId: randomUUID(), lane, owner }) as const));
  const claim = (running: Job[]): Promise<Job[]> => store.claim(NAME, CONCURRENCY - running.length, running, 60);

  test.each([0, 1, 2, 3])('has its turn while %d other rails have long backlogs', async (others) => {
    await add('rail', 'held', 100);
    const held = await claim([]);
    expect(held).toHaveLength(10);
    await add('rail', 'quiet', 1);
    for (let nth = 0; nth < others; nth += 1) for (const owner of ['one', 'two']) await add(`other ${nth}`, owner, 100);
    const moving: Job[] = [];
    let ended = 0;
    for (; ended < 60; ended += 1) {
      const begun = await claim([...held, ...moving]);
      if (begun.some(({ owner }) => owner === 'quiet')) break;
      moving.push(...begun);
      const first = moving.shift(); // its rail has answered
      if (first) await store.finishFree([first]);
    }
    expect(ended).toBeLessThan(60);
  });
});
