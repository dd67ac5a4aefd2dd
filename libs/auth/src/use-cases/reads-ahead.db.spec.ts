import { randomBytes, randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { AdmissionStore, type Verdict } from '../db/admission.store';
import { AdmitRequest } from './admit-request';
import { KEPT_MS } from './reads-ahead';

const LIMIT = 400;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('reads that are counted ahead', () => {
  let scratch: ScratchDb;
  let clientId: string;
  const processes: Process[] = [];
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());
  // Limits are counted by the minute of the database's clock: none of these tests may meet its turn.
  beforeEach(async () => {
    clientId = randomUUID();
    const early = `CASE WHEN extract(second FROM now()) > 50 THEN 60.1 - extract(second FROM now()) ELSE 0 END`;
    await scratch.db.rows(`SELECT pg_sleep(${early})`);
  }, 60_000);
  afterEach(async () => {
    jest.useRealTimers();
    await Promise.all(processes.splice(0).map(({ admit }) => admit.onModuleDestroy()));
  });
  /** No portion runs out while a test looks at it. */
  const stopTheClock = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });

  interface Process {
    admit: AdmitRequest;
    read: (limitPerMinute?: number) => Promise<Verdict>;
    write: () => Promise<Verdict>;
    /** How many were counted by a statement of their own. */
    counted: () => number;
    /** Once whatever it takes ahead is taken. */
    taken: () => Promise<void>;
  }

  function process(): Process {
    const store = new AdmissionStore(scratch.db);
    const asked = jest.spyOn(store, 'admitAll');
    const taken = jest.spyOn(store, 'takeAhead');
    const admit = new AdmitRequest(store);
    const ask = (fingerprints: Buffer[], limitPerMinute = LIMIT): Promise<Verdict> =>
      admit.run({ clientId, limitPerMinute, fingerprints, keepSeconds: 360 });
    const made: Process = {
      admit,
      read: (limitPerMinute) => ask([], limitPerMinute),
      write: () => ask([randomBytes(32)]),
      counted: () => asked.mock.calls.reduce((sum, [admissions]) => sum + admissions.length, 0),
      taken: async () => void (await Promise.all(taken.mock.results.map(({ value }) => value as Promise<unknown>))),
    };
    processes.push(made);
    return made;
  }

  const row = (): Promise<{ requests: number; ahead: number } | null> =>
    scratch.db.row('SELECT requests, ahead FROM rate_windows WHERE client_id = $1 ORDER BY minute DESC LIMIT 1', [
      clientId,
    ]);
  /** Until a portion is there. */
  async function readMuch({ read, taken }: Process): Promise<number> {
    let reads = 0;
    do {
      expect((await read()).outcome).toBe('admitted');
      reads += 1;
      await taken();
    } while (((await row())?.ahead ?? 0) === 0);
    return reads;
  }
  const admitted = (verdicts: Verdict[]): number => verdicts.filter(({ outcome }) => outcome === 'admitted').length;
  const oneByOne = async (count: number, ask: (nth: number) => Promise<Verdict>): Promise<Verdict[]> => {
    const verdicts: Verdict[] = [];
    for (let nth = 0; nth < count; nth += 1) verdicts.push(await ask(nth));
    return verdicts;
  };

  test('ask nobody, and are counted all the same', async () => {
    stopTheClock();
    const one = process();
    const reads = await readMuch(one);
    const before = one.counted();
    expect(admitted(await oneByOne(4, () => one.read()))).toBe(4);
    expect(one.counted()).toBe(before);
    await one.admit.onModuleDestroy();
    expect(await row()).toEqual({ requests: reads + 4, ahead: 0 });
  });

  test('of a client that reads now and then none is, and of one with a low limit neither', async () => {
    const one = process();
    await oneByOne(3, () => one.read());
    expect((await row())?.ahead).toBe(0);
    await oneByOne(30, () => one.read(100));
    expect(await row()).toEqual({ requests: 33, ahead: 0 });
    expect(one.counted()).toBe(33);
  });

  test('on one process the limit stays exact, whatever reads and writes come one after the other', async () => {
    const one = process();
    const had = await readMuch(one);
    const verdicts = await oneByOne(2 * LIMIT, (nth) => (nth % 3 ? one.read() : one.write()));
    const firstRefused = verdicts.findIndex(({ outcome }) => outcome === 'rate_limited');
    expect(verdicts.slice(firstRefused).every(({ outcome }) => outcome === 'rate_limited')).toBe(true);
    expect(admitted(verdicts)).toBe(LIMIT - had);
    expect(await row()).toEqual({ requests: LIMIT, ahead: 0 });
  }, 60_000);

  test('on one process the limit is exact too where all come at once beside a portion', async () => {
    stopTheClock();
    const one = process();
    const reads = await readMuch(one);
    const writes = await Promise.all(Array.from({ length: LIMIT }, () => one.write()));
    expect(admitted(writes)).toBe(LIMIT - reads);
    expect(await row()).toEqual({ requests: LIMIT, ahead: 0 });
  });

  test('over two processes there are never more than the limit, and what one left comes back within a moment', async () => {
    stopTheClock();
    const [one, two] = [process(), process()];
    const reads = await readMuch(one);
    const ahead = (await row())?.ahead ?? 0;
    const writes = await Promise.all(Array.from({ length: LIMIT }, () => two.write()));
    expect(admitted(writes)).toBe(LIMIT - reads - ahead);
    const refused = await two.write();
    expect(refused.outcome).toBe('rate_limited');
    const [{ left } = { left: 0 }] = await scratch.db.rows<{ left: number }>(
      'SELECT (60 - extract(second FROM clock_timestamp()))::float8 AS left',
    );
    expect(Math.abs(refused.resetSeconds - left)).toBeLessThan(2.5);
    await jest.advanceTimersByTimeAsync(KEPT_MS);
    while ((await row())?.ahead) await turn();
    const late = await oneByOne(ahead + 1, () => two.write());
    expect(late.map(({ outcome }) => outcome)).toEqual([...Array<string>(ahead).fill('admitted'), 'rate_limited']);
    expect(await row()).toEqual({ requests: LIMIT, ahead: 0 });
  });

  test('in the last fifth each is counted by itself', async () => {
    const one = process();
    await Promise.all(Array.from({ length: (LIMIT * 4) / 5 }, () => one.write()));
    const before = one.counted();
    await oneByOne(20, () => one.read());
    expect(one.counted()).toBe(before + 20);
    expect((await row())?.ahead).toBe(0);
  });

  test('another limit counts at once', async () => {
    stopTheClock();
    const one = process();
    const reads = await readMuch(one);
    expect((await one.read(reads)).outcome).toBe('rate_limited');
    expect((await one.read(reads + 1)).outcome).toBe('admitted');
  });

  test('what belongs to a minute that is over is not used', async () => {
    const one = process();
    await readMuch(one);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    try {
      const before = one.counted();
      await one.read();
      expect(one.counted()).toBe(before + 1);
    } finally {
      jest.restoreAllMocks();
    }
  });

  test('without the database no more are let in than were counted', async () => {
    stopTheClock();
    const one = process();
    await readMuch(one);
    const ahead = (await row())?.ahead ?? 0;
    jest.spyOn(AdmissionStore.prototype, 'takeAhead').mockRejectedValue(new Error('gone'));
    const lost = jest.spyOn(scratch.db, 'rows').mockRejectedValue(new Error('gone'));
    const outcomes = await Promise.allSettled(Array.from({ length: 2 * ahead }, () => one.read()));
    lost.mockRestore();
    jest.restoreAllMocks();
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(ahead);
  });
});
