import { randomUUID } from 'node:crypto';
import { holding, scratchDb, type ScratchDb } from '#libs/db/testing';
import type { Job, Place } from './job-names';
import { JobStore } from './job-store';

const NAME = 'payout.drive';
const NOBODY: Place[] = [];
const underWay = (lane: string, count = 1): Place[] => Array.from({ length: count }, () => ({ lane, owner: '' }));

describe('JobStore', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
  });
  beforeEach(() => scratch.db.execute('DELETE FROM jobs'));
  afterAll(() => scratch.drop());

  const add = (entityId: string, lane = 'a', delaySeconds = 0): Promise<void> =>
    store.add([{ name: NAME, entityId, lane, delaySeconds }]);
  const claim = (limit = 10, leaseSeconds = 60): Promise<Job[]> => store.claim(NAME, limit, NOBODY, leaseSeconds);
  const left = async (): Promise<number> => (await scratch.db.rows('SELECT FROM jobs')).length;

  test('a claimed job is nobody else’s until its lease ends', async () => {
    await add(randomUUID());
    const [job] = await claim(10, -1);
    expect(job).toMatchObject({ name: NAME, lane: 'a', attempts: 1 });
    const [again] = await claim();
    expect(again?.attempts).toBe(2);
    expect(await claim()).toEqual([]);
    await store.finish(job as Job);
    expect(await left()).toBe(1);
    await store.finish(again as Job);
    expect(await left()).toBe(0);
  });

  test('due are the kinds of which some job is, whoever’s, and none that is taken or for later', async () => {
    expect(await store.due()).toEqual([]);
    const taken = randomUUID();
    await add(taken, 'a');
    expect(await store.due()).toEqual([NAME]);
    await claim();
    expect(await store.due()).toEqual([]);
    const entityId = randomUUID();
    await store.add([
      { name: NAME, entityId, lane: 'b', delaySeconds: 60 },
      { name: 'mail.send', entityId, lane: 'c', owner: 'a', delaySeconds: 60 },
      { name: 'mail.send', entityId: taken, lane: 'c', owner: 'b' },
      { name: 'payout.look', entityId, lane: 'd' },
    ]);
    expect(await store.due()).toEqual(['payout.look', 'mail.send']);
  });

  test('many claimers never get the same job', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => add(randomUUID(), `lane ${index % 7}`)));
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(20)))).flat();
    expect(new Set(claimed.map(({ entityId }) => entityId)).size).toBe(claimed.length);
  });

  test('a lane with a thousand jobs does not keep another lane waiting', async () => {
    await store.add(
      Array.from({ length: 1000 }, () => ({ name: NAME, entityId: randomUUID(), lane: 'busy' }) as const),
    );
    await add('00000000-0000-7000-8000-000000000001', 'quiet');
    const claimed = await claim(16);
    expect(claimed.map(({ lane }) => lane)).toContain('quiet');
    expect(claimed.filter(({ lane }) => lane === 'busy').length).toBeLessThanOrEqual(12);
  });

  test('a lane that is full gets no more', async () => {
    await add(randomUUID(), 'full');
    expect(await store.claim(NAME, 5, underWay('full', 12), 60)).toEqual([]);
    expect(await store.claim(NAME, 5, underWay('full', 11), 60)).toHaveLength(1);
  });

  test('however many lanes have work, there is room for one more, and who has least under way comes first', async () => {
    for (const lane of ['a', 'b', 'c']) for (let index = 0; index < 20; index += 1) await add(randomUUID(), lane);
    const claimed = await store.claim(NAME, 16, NOBODY, 60);
    // Sixteen places for three lanes and one that may come.
    expect(claimed.map(({ lane }) => lane).sort()).toEqual([...'aaaabbbbcccc']);
    await add(randomUUID(), 'late');
    const running = [...'abc'].flatMap((lane) => underWay(lane));
    expect((await store.claim(NAME, 1, running, 60)).map(({ lane }) => lane)).toEqual(['late']);
  });

  test('news about a job under way makes it run once more, a reminder does not', async () => {
    const id = randomUUID();
    await add(id);
    const [first] = await claim();
    await add(id, 'a', 30);
    await store.finish(first as Job);
    expect(await left()).toBe(0);
    await add(id);
    const [second] = await claim();
    await add(id);
    await store.finish(second as Job);
    expect(await claim()).toHaveLength(1);
  });

  test('a job is brought forward, never put off, by being added again', async () => {
    const id = randomUUID();
    await add(id, 'a', 60);
    expect(await claim()).toEqual([]);
    await add(id);
    await add(id, 'a', 60);
    expect(await claim()).toHaveLength(1);
  });

  test('only the ticket that was handed out last takes a job over', async () => {
    await add(randomUUID());
    const [lost] = await claim(1, -1);
    const [current] = await claim(1, 60);
    const { entityId } = current as Job;
    expect(await store.adopt(NAME, entityId, (lost as Job).leaseToken, 60)).toBeNull();
    const mine = await store.adopt(NAME, entityId, (current as Job).leaseToken, 60);
    expect(mine?.entityId).toBe(entityId);
    expect(await store.adopt(NAME, entityId, (current as Job).leaseToken, 60)).toBeNull();
  });

  test('an error is written down and the job comes back', async () => {
    await add(randomUUID());
    const [job] = await claim();
    await store.putBack(job as Job, 0, 'it broke', false);
    const [again] = await claim();
    expect(again?.attempts).toBe(2);
    expect(await scratch.db.row('SELECT last_error FROM jobs')).toEqual({ lastError: 'it broke' });
  });

  describe('while somebody adds jobs', () => {
    const ids = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`) as [string, string, string];
    const lease = async (): Promise<Job[]> => {
      for (const id of ids) await add(id);
      return claim();
    };
    const somebodyWaits = async (count = 1): Promise<void> => {
      const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      while ((await scratch.db.rows(sql)).length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    /** Until its row is locked: an answer comes after those to what left before. */
    const addAndHold = async (id: string): Promise<void> => {
      await add(id);
      await scratch.db.rows('SELECT 1');
    };
    const leasedFor = async (): Promise<Record<string, boolean>> => {
      const rows = await scratch.db.rows<{ entityId: string; long: boolean }>(
        `SELECT entity_id, run_at > now() + interval '100 seconds' AS long FROM jobs`,
      );
      return Object.fromEntries(rows.map(({ entityId, long }) => [entityId, long]));
    };

    test('the other leases are renewed at once, and that one as soon as it can be', async () => {
      const jobs = await lease();
      let renewal: Promise<void> = Promise.resolve();
      await scratch.db.inTransaction(async () => {
        await addAndHold(ids[1]);
        renewal = scratch.db.outsideTransaction(() => store.renew(jobs, 200));
        await scratch.db.outsideTransaction(somebodyWaits);
        expect(await scratch.db.outsideTransaction(leasedFor)).toEqual({
          [ids[0]]: true,
          [ids[1]]: false,
          [ids[2]]: true,
        });
      });
      await renewal;
      expect(Object.values(await leasedFor())).toEqual([true, true, true]);
    });

    test('leases that end while all of them are held are renewed as soon as they are let go', async () => {
      for (const id of ids) await add(id);
      const jobs = await claim(10, -1);
      let renewal: Promise<void> = Promise.resolve();
      await scratch.db.inTransaction(async () => {
        await scratch.db.rows('SELECT FROM jobs FOR UPDATE');
        renewal = scratch.db.outsideTransaction(() => store.renew(jobs, 200));
        await scratch.db.outsideTransaction(somebodyWaits);
        await scratch.db.outsideTransaction(() => store.renew(jobs, 200));
      });
      await renewal;
      expect(Object.values(await leasedFor())).toEqual([true, true, true]);
    });

    test('a client whose jobs are held keeps the leases of nobody else from being renewed once they are free', async () => {
      const [held, mine] = [randomUUID(), randomUUID()];
      await add(held, 'other');
      await add(mine);
      const jobs = await claim();
      let renewalOfHeld: Promise<void> = Promise.resolve();
      await scratch.db.inTransaction(async () => {
        await addAndHold(held);
        renewalOfHeld = scratch.db.outsideTransaction(() => store.renew(jobs, 60));
        await scratch.db.outsideTransaction(somebodyWaits);
        const letGo = await scratch.db.outsideTransaction(() =>
          holding(scratch.db, 'SELECT FROM jobs WHERE entity_id = $1 FOR UPDATE', [mine]),
        );
        const renewal = scratch.db.outsideTransaction(() => store.renew(jobs, 200));
        await scratch.db.outsideTransaction(() => somebodyWaits(2));
        await letGo();
        await renewal;
        expect(await scratch.db.outsideTransaction(leasedFor)).toEqual({ [held]: false, [mine]: true });
      });
      await renewalOfHeld;
    });

    test('nobody waits in a circle with a renewal, in whatever order it adds them', async () => {
      const jobs = await lease();
      let renewal: Promise<void> = Promise.resolve();
      let attempts = 0;
      await scratch.db.inTransaction(async () => {
        attempts += 1;
        await addAndHold(ids[2]);
        renewal = scratch.db.outsideTransaction(() => store.renew(jobs, 200));
        await scratch.db.outsideTransaction(somebodyWaits);
        for (const id of ids) await add(id);
      });
      await renewal;
      expect(attempts).toBe(1);
      expect(Object.values(await leasedFor())).toEqual([true, true, true]);
    });

    test('what is taken back is not waited for', async () => {
      for (const id of ids) await add(id);
      await scratch.db.inTransaction(async () => {
        await addAndHold(ids[1]);
        await scratch.db.outsideTransaction(() => store.remove(NAME, ids));
      });
      expect(Object.keys(await leasedFor())).toEqual([ids[1]]);
    });

    test('the others are handed back by whoever stops, who waits for none', async () => {
      const jobs = await lease();
      let taken: Job[] = [];
      await scratch.db.inTransaction(async () => {
        await addAndHold(ids[1]);
        await scratch.db.outsideTransaction(() => store.handBack(jobs, true));
        taken = await scratch.db.outsideTransaction(() => claim());
      });
      expect(taken.map(({ entityId }) => entityId).sort()).toEqual([ids[0], ids[2]].sort());
    });
  });

  test('a lease that is handed back is nobody’s at once, and one that went to another stays theirs', async () => {
    await add(randomUUID());
    const [lost] = await claim(1, -1);
    const [current] = await claim();
    await store.handBack([lost as Job], false);
    expect(await claim()).toEqual([]);
    await store.handBack([current as Job], false);
    const [again] = await claim();
    expect(again?.attempts).toBe(current?.attempts); // what never began is no try
    await store.handBack([again as Job], true);
    expect((await claim())[0]?.attempts).toBe((again?.attempts ?? 0) + 1);
  });
});
