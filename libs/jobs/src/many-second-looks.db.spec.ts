/**
 * Hundreds of one client's payouts fail in a bad hour, and their provider takes half a second for an answer: two questions at a time would take
 * minutes for those that are due within the first one. Other clients have a place beside them, and so have other rails.
 */
import { randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { JOBS, type Place } from './job-names';
import { JobStore } from './job-store';

const NAME = 'payout.second_look';
const FAILED = 400;
const ANSWER_SECONDS = 0.5;
/** When each is to be asked about for the first time, and the second. */
const ASKED_WITHIN_SECONDS = 30;

describe('second looks at what failed together', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
  });
  afterAll(() => scratch.drop());

  const add = (lane: string, owner: string, count: number): Promise<void> =>
    store.add(Array.from({ length: count }, () => ({ name: NAME, entityId: randomUUID(), lane, owner })));
  const claim = (running: Place[]) => store.claim(NAME, JOBS[NAME].concurrency - running.length, running, 60);

  test('are put so many at a time that none comes late, and others’ beside them', async () => {
    await add('silent', 'loud', FAILED);
    const theirs = await claim([]);
    expect((FAILED * ANSWER_SECONDS) / theirs.length).toBeLessThan(ASKED_WITHIN_SECONDS);
    await add('silent', 'quiet', 1);
    await add('another', 'loud', 1);
    const beside = (await claim(theirs)).map(({ lane, owner }) => `${owner} at ${lane}`);
    expect(beside).toEqual(expect.arrayContaining(['quiet at silent', 'loud at another']));
  });
});
