/** What waits for later needs no place now: a payout on each of the other rails that is asked about in minutes takes none from a client on its own. */
import { randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import type { JobName } from './job-names';
import { JobStore } from './job-store';

const NAME = 'payout.drive';
/** The rails of this service, but for the one that has work now. */
const OTHER_RAILS = ['custodial_a', 'custodial_b', 'gift_rail', 'swap_rail', 'claim_rail'];

describe('a client that is alone on its rail', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
  });
  beforeEach(() => scratch.db.execute('DELETE FROM jobs'));
  afterAll(() => scratch.drop());

  const add = (lane: string, count: number, delaySeconds = 0): Promise<void> =>
    store.add(
      Array.from({ length: count }, () => ({
        name: NAME as JobName,
        entityId: randomUUID(),
        lane,
        owner: `of ${lane}`,
        delaySeconds,
      })),
    );
  const wait = () => Promise.all(OTHER_RAILS.map((rail) => add(rail, 1, 300)));

  test('has all the places that it has otherwise, while others have a payout each that is asked about in five minutes', async () => {
    await add('mock', 100);
    const alone = await store.claim(NAME, 16, [], 60);
    await scratch.db.execute('DELETE FROM jobs');
    await add('mock', 100);
    await wait();
    const beside = await store.claim(NAME, 16, [], 60);
    expect(beside).toHaveLength(alone.length);
  });
});
