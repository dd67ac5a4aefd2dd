import { randomBytes, randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { AdmitRequest } from '../use-cases/admit-request';
import { AdmissionStore, type Verdict } from './admission.store';

describe('admitting requests', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());
  // Limits are counted by the minute of the database's clock: none of these tests may meet its turn.
  beforeEach(
    () =>
      scratch.db.rows(
        `SELECT pg_sleep(CASE WHEN extract(second FROM now()) > 55 THEN 60.1 - extract(second FROM now()) ELSE 0 END)`,
      ),
    60_000,
  );

  const request = (clientId: string, fingerprints: Buffer[], limitPerMinute = 1000) => ({
    clientId,
    limitPerMinute,
    fingerprints,
    keepSeconds: 360,
  });
  /** Two processes have two batchers and one database. */
  const processes = () => [
    new AdmitRequest(new AdmissionStore(scratch.db)),
    new AdmitRequest(new AdmissionStore(scratch.db)),
  ];
  const count = (verdicts: (Verdict | undefined)[], wanted: string): number =>
    verdicts.filter((verdict) => verdict?.outcome === wanted).length;
  const outcomes = (verdicts: Verdict[]): string[] => verdicts.map(({ outcome }) => outcome);
  const marksOf = async (clientId: string): Promise<number> =>
    (await scratch.db.rows('SELECT FROM used_signatures WHERE client_id = $1', [clientId])).length;

  test('of 100 copies over two processes one passes', async () => {
    const [one, two] = processes();
    const copy = request(randomUUID(), [randomBytes(32)]);
    const verdicts = await Promise.all(Array.from({ length: 100 }, (_, index) => (index % 2 ? one : two)?.run(copy)));
    expect(count(verdicts, 'admitted')).toBe(1);
    expect(count(verdicts, 'replayed')).toBe(99);
  });

  test('marks wait for no disk, and what comes after them in the same session does', async () => {
    await scratch.db.inTransaction(async () => {
      const setting = (): Promise<unknown> => scratch.db.row(`SELECT current_setting('synchronous_commit') AS is`);
      await scratch.db.execute('SET LOCAL synchronous_commit = on');
      await scratch.db.execute('SAVEPOINT before');
      await new AdmissionStore(scratch.db).admitAll([request(randomUUID(), [randomBytes(32)])]);
      expect(await setting()).toEqual({ is: 'off' });
      await scratch.db.execute('ROLLBACK TO before'); // what is set for one transaction ends with it
      expect(await setting()).toEqual({ is: 'on' });
    });
  });

  test('the limit is exact over two processes, and what it refuses leaves no mark', async () => {
    const [one, two] = processes();
    const clientId = randomUUID();
    const prints = Array.from({ length: 60 }, () => randomBytes(32));
    const verdicts = await Promise.all(
      prints.map((print, index) => (index % 2 ? one : two)?.run(request(clientId, [print], 40))),
    );
    expect(count(verdicts, 'admitted')).toBe(40);
    expect(count(verdicts, 'rate_limited')).toBe(20);
    expect(await marksOf(clientId)).toBe(40);
    for (const { resetSeconds } of verdicts as Verdict[]) {
      expect(resetSeconds).toBeGreaterThan(0);
      expect(resetSeconds).toBeLessThanOrEqual(60);
    }
  });

  test('who is over its limit is known for the rest of the minute, and asked about again if the limit changes', async () => {
    const store = new AdmissionStore(scratch.db);
    const asked = jest.spyOn(store, 'admitAll');
    const admit = new AdmitRequest(store);
    const clientId = randomUUID();
    const ask = (limit: number): Promise<Verdict> => admit.run(request(clientId, [randomBytes(32)], limit));
    expect(outcomes([await ask(1), await ask(1)])).toEqual(['admitted', 'rate_limited']);
    const before = asked.mock.calls.length;
    const again = await Promise.all(Array.from({ length: 200 }, () => ask(1)));
    expect(count(again, 'rate_limited')).toBe(200);
    expect(asked.mock.calls.length).toBe(before);
    for (const { resetSeconds } of again) expect(resetSeconds).toBeGreaterThan(0);
    expect(outcomes([await ask(100), await ask(100)])).toEqual(['admitted', 'admitted']);
  });

  test('clients do not share a limit or a signature', async () => {
    const [one] = processes();
    const print = randomBytes(32);
    const verdicts = await Promise.all([randomUUID(), randomUUID()].map((id) => one?.run(request(id, [print], 1))));
    expect(count(verdicts, 'admitted')).toBe(2);
  });

  test('requests that may be repeated only count', async () => {
    const [one] = processes();
    const clientId = randomUUID();
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => one?.run(request(clientId, [], 3))));
    expect([count(verdicts, 'admitted'), count(verdicts, 'rate_limited')]).toEqual([3, 2]);
  });

  test('two signatures of one request are used up together, and count as one request', async () => {
    const store = new AdmissionStore(scratch.db);
    const clientId = randomUUID();
    const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const admit = async (...fingerprints: Buffer[][]): Promise<string[]> =>
      outcomes(await store.admitAll(fingerprints.map((some) => request(clientId, some, 5))));
    expect(await admit([first, second])).toEqual(['admitted']);
    expect(await admit([first], [second])).toEqual(['replayed', 'replayed']);
    // One that was used before makes the request a replay, and the other is used as well.
    expect(await admit([third, second])).toEqual(['replayed']);
    expect(await admit([third])).toEqual(['replayed']);
    expect(await marksOf(clientId)).toBe(3);
    expect(await admit([randomBytes(32), randomBytes(32)])).toEqual(['rate_limited']); // the sixth
    expect(await marksOf(clientId)).toBe(3);
  });

  test('of many that share one of two signatures one passes, whoever sends them', async () => {
    const clientId = randomUUID();
    const shared = randomBytes(32);
    const both = processes();
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, index) => both[index % 2]?.run(request(clientId, [randomBytes(32), shared]))),
    );
    expect([count(verdicts, 'admitted'), count(verdicts, 'replayed')]).toEqual([1, 59]);
  });

  test('what is spent elsewhere is refused from then on, and may be spent again', async () => {
    const store = new AdmissionStore(scratch.db);
    const [clientId, spends] = [randomUUID(), randomBytes(32)];
    const spending = () => ({ ...request(clientId, [randomBytes(32), randomBytes(32)]), spends });
    const careful = () => ({ ...request(clientId, [randomBytes(32)]), unlessSpent: spends });
    expect(outcomes(await store.admitAll([careful(), spending(), careful(), spending()]))).toEqual([
      'admitted',
      'admitted',
      'replayed',
      'admitted',
    ]);
    expect(outcomes(await store.admitAll([careful()]))).toEqual(['replayed']);
    const [elsewhere, reading] = [{ ...careful(), clientId: randomUUID() }, request(clientId, [])];
    expect(outcomes(await store.admitAll([elsewhere, reading]))).toEqual(['admitted', 'admitted']);
  });

  test('what a request past the limit would spend is not spent', async () => {
    const store = new AdmissionStore(scratch.db);
    const [clientId, spends] = [randomUUID(), randomBytes(32)];
    const refused = { ...request(clientId, [randomBytes(32)], 0), spends };
    expect(outcomes(await store.admitAll([refused]))).toEqual(['rate_limited']);
    const careful = { ...request(clientId, [randomBytes(32)]), unlessSpent: spends };
    expect(outcomes(await store.admitAll([careful]))).toEqual(['admitted']);
  });

  test('a statement that fails is not tried again for each: its marks may be there', async () => {
    let asked = 0;
    const store = new AdmissionStore(scratch.db);
    const lost = jest.spyOn(store, 'admitAll').mockImplementation(async () => {
      asked += 1;
      throw new Error('Connection terminated');
    });
    const admit = new AdmitRequest(store);
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, () => admit.run(request(randomUUID(), [randomBytes(32)]))),
    );
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toBeLessThanOrEqual(3);
    lost.mockRestore();
  });

  test('expired signatures are forgotten, others kept', async () => {
    const store = new AdmissionStore(scratch.db);
    const clientId = randomUUID();
    const kept = request(clientId, [randomBytes(32)]);
    const expired = { ...request(clientId, [randomBytes(32)]), keepSeconds: -1 };
    expect(outcomes(await store.admitAll([kept, expired]))).toEqual(['admitted', 'admitted']);
    await new AdmitRequest(store).forgetExpired(new AbortController().signal);
    expect(await marksOf(clientId)).toBe(1);
    expect(outcomes(await store.admitAll([kept]))).toEqual(['replayed']);
  });

  test('all that expired are forgotten at once, in portions, however many there are', async () => {
    const clientId = randomUUID();
    await scratch.db.execute(
      `INSERT INTO used_signatures (client_id, fingerprint, expires_at)
       SELECT $1, sha256(n::text::bytea), now() - interval '1 second' FROM generate_series(1, 25000) AS n`,
      [clientId],
    );
    const store = new AdmissionStore(scratch.db);
    const portions = jest.spyOn(store, 'forgetExpired');
    await new AdmitRequest(store).forgetExpired(new AbortController().signal);
    expect(await marksOf(clientId)).toBe(0);
    expect(portions).toHaveBeenCalledTimes(3);
    await new AdmitRequest(store).forgetExpired(AbortSignal.abort());
    expect(portions).toHaveBeenCalledTimes(3);
  });

  test('what another process has just spent is spent, however closely the next one follows', async () => {
    const [one, two] = processes();
    const clientId = randomUUID();
    const spends = randomBytes(32);
    await one?.run(request(clientId, [])); // its row of this minute is what the second one waits for
    let second: Promise<Verdict> | undefined;
    await scratch.db.inTransaction(async () => {
      expect((await one?.run({ ...request(clientId, [randomBytes(32)]), spends }))?.outcome).toBe('admitted');
      const alone = { ...request(clientId, [randomBytes(32)]), unlessSpent: spends };
      second = scratch.db.outsideTransaction(() => two?.run(alone));
      const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      const waits = (): Promise<object[]> => scratch.db.outsideTransaction(() => scratch.db.rows(sql));
      while ((await waits()).length === 0) await new Promise((resolve) => setImmediate(resolve));
    });
    expect((await second)?.outcome).toBe('replayed');
  });
});
