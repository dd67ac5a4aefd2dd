/** Within a lane its owners take turns, and what a claim costs does not depend on how much one of them has waiting. */
import { randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import type { Job, Place } from './job-names';
import { JobStore } from './job-store';

const NAME = 'payout.drive';

describe('the owners of a lane', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
  });
  beforeEach(() => scratch.db.execute('DELETE FROM jobs'));
  afterAll(() => scratch.drop());

  const add = (owner: string, count = 1, lane = 'rail'): Promise<void> =>
    store.add(Array.from({ length: count }, () => ({ name: NAME, entityId: randomUUID(), lane, owner }) as const));
  const claim = (limit: number, running: Place[] = []): Promise<Job[]> => store.claim(NAME, limit, running, 60);
  const owners = (jobs: Job[]): string[] => jobs.map(({ owner }) => owner).sort();
  const places = (owner: string, count: number): Place[] =>
    Array.from({ length: count }, () => ({ lane: 'rail', owner }));

  test('have as many places each as they can use, and all of them together no more than the lane', async () => {
    for (const owner of ['much', 'some']) await add(owner, 100);
    for (const owner of ['little', 'less']) await add(owner);
    expect(owners(await claim(16))).toEqual(
      ['less', 'little', ...Array<string>(4).fill('much'), ...Array<string>(4).fill('some')].sort(),
    );
    expect(await claim(16, [...places('much', 6), ...places('some', 6)])).toEqual([]);
  });

  test('leave the last places of the lane to those that have none, the last but one as well', async () => {
    await add('much', 100);
    expect(await claim(16)).toHaveLength(10);
    await add('some', 100);
    expect(owners(await claim(16, places('much', 10)))).toEqual(['some']);
    await add('third', 100);
    expect(owners(await claim(16, [...places('much', 10), ...places('some', 1)]))).toEqual(['third']);
    expect(await claim(16, [...places('much', 10), ...places('some', 1), ...places('third', 1)])).toEqual([]);
  });

  test('leave none of one place, and one of two', async () => {
    for (const lane of ['rail', 'second', 'third', 'fourth', 'fifth', 'sixth']) await add('much', 3, lane);
    expect((await claim(16)).map(({ lane }) => lane).sort()).toEqual([
      'fifth',
      'fourth',
      'rail',
      'second',
      'sixth',
      'third',
    ]);
    await add('some', 1);
    expect(owners(await claim(16, places('much', 1)))).toContain('some');
    for (let nth = 0; nth < 20; nth += 1) await add('much', 1, `lane ${nth}`);
    expect(await claim(16)).toHaveLength(16);
  });

  // As when others' tickets came to it over Bull, or its lane had more room before other lanes had work.
  test('take no place of those that have none, however many one of them has', async () => {
    await add('much', 100);
    await add('late', 100);
    expect(owners(await claim(1, places('much', 16)))).toEqual(['late']);
    expect(await claim(1, [...places('much', 16), ...places('late', 1)])).toEqual([]);
    await add('much', 1, 'another rail');
    expect(owners(await claim(5, places('much', 10))).filter((owner) => owner === 'late')).toHaveLength(1);
  });

  test('come next who have least under way, however old what others have is', async () => {
    await add('much', 100);
    await scratch.db.execute(`UPDATE jobs SET run_at = now() - interval '1 day'`);
    await add('late');
    expect(owners(await claim(1, places('much', 3)))).toEqual(['late']);
  });

  test('are all served where they are more than there are places', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `owner ${index}`);
    for (const name of names) await add(name, 20);
    const served = new Set<string>();
    // Nobody stays under way, so that only turns decide; what is claimed is not claimed again.
    for (let round = 0; round < 60; round += 1) for (const owner of owners(await claim(12))) served.add(owner);
    expect(served.size).toBe(names.length);
  });

  test('have their own jobs done oldest first', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await store.add([{ name: NAME, entityId: second, lane: 'rail', owner: 'one' }]);
    await store.add([{ name: NAME, entityId: first, lane: 'rail', owner: 'one' }]);
    await scratch.db.execute(`UPDATE jobs SET run_at = now() - interval '1 hour' WHERE entity_id = $1`, [first]);
    expect([...(await claim(1)), ...(await claim(1))].map(({ entityId }) => entityId)).toEqual([first, second]);
  });

  test('have no turn for what is not due, and one for what a worker that died had', async () => {
    await store.add([{ name: NAME, entityId: randomUUID(), lane: 'rail', owner: 'later', delaySeconds: 60 }]);
    expect(await claim(16)).toEqual([]);
    await add('lost');
    await store.claim(NAME, 1, [], -1);
    expect(await claim(16)).toMatchObject([{ owner: 'lost', lapsed: true }]);
  });

  test('are found by those who claim at the same time, each job once', async () => {
    for (let index = 0; index < 5; index += 1) await add(`owner ${index}`, 20);
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(12)))).flat();
    expect(new Set(claimed.map(({ entityId }) => entityId)).size).toBe(claimed.length);
  });

  test('are the ones that added a job last, and nobody where older code added it', async () => {
    const [id, old] = [randomUUID(), randomUUID()];
    await store.add([{ name: NAME, entityId: id, lane: 'rail', owner: 'one' }]);
    await store.add([{ name: NAME, entityId: id, lane: 'rail', owner: 'two' }]);
    await scratch.db.execute(`INSERT INTO jobs (name, entity_id, lane) VALUES ($1, $2, 'rail')`, [NAME, old]);
    expect(owners(await claim(16))).toEqual(['', 'two']);
  });
});
