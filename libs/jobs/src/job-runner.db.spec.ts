/** A process that stands still for a while, because something computes, keeps the jobs it has under way. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseTrouble, Db, VersionGate } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import type { JobHandlers } from './job-handlers';
import type { Job } from './job-names';
import { JobRunner, LEASE_SECONDS, RENEW_MS } from './job-runner';
import { JobStore } from './job-store';

const STALL_MS = 3_000;

/** Nothing runs meanwhile, no timer either. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('JobRunner', () => {
  let scratch: ScratchDb;
  let store: JobStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    store = new JobStore(scratch.db);
  });
  afterEach(() => scratch.db.execute('DELETE FROM jobs'));
  afterAll(() => scratch.drop());

  const claim = (): Promise<Job[]> => store.claim('payout.drive', 10, [], LEASE_SECONDS);

  async function underWay(): Promise<{ runner: JobRunner; done: () => Promise<void> }> {
    let finish: () => void = () => undefined;
    const work = new Promise<void>((resolve) => (finish = resolve));
    const runner = new JobRunner(store, { of: () => () => work } as unknown as JobHandlers, new VersionGate());
    await store.add([{ name: 'payout.drive', entityId: randomUUID(), lane: 'a' }]);
    const [job] = await claim();
    runner.onModuleInit();
    const running = runner.run(job as Job);
    const done = async (): Promise<void> => {
      finish();
      await running;
      runner.onApplicationShutdown();
    };
    return { runner, done };
  }

  /** null: the machine made it longer than it was to be, so it says nothing. */
  async function claimedAfterStall(before: number): Promise<Job[] | null> {
    const from = performance.now();
    await pause(before);
    standStill(STALL_MS);
    const claimed = await claim();
    return performance.now() - from > before + STALL_MS + RENEW_MS ? null : claimed;
  }

  test('a stall costs no lease, whenever it comes', async () => {
    const round = async (): Promise<boolean> => {
      const { done } = await underWay();
      const claimed: (Job[] | null)[] = [];
      for (const before of [0, RENEW_MS / 2, RENEW_MS - 20]) claimed.push(await claimedAfterStall(before));
      await done();
      if (claimed.includes(null)) return false;
      expect(claimed).toEqual([[], [], []]);
      return true;
    };
    while (!(await round())) await scratch.db.execute('DELETE FROM jobs');
    expect(await scratch.db.rows('SELECT FROM jobs')).toEqual([]);
  }, 120_000);

  test('the renewal that was due meanwhile comes first', async () => {
    const { done } = await underWay();
    const asked: string[] = [];
    const run = Db.prototype.rows;
    const watched = jest.spyOn(Db.prototype, 'rows').mockImplementation(function (this: Db, sql, values) {
      asked.push(sql.includes('held') ? 'renewal' : 'other');
      return run.call(this, sql, values);
    });
    setTimeout(() => void scratch.db.rows('SELECT 1'), RENEW_MS + 200);
    standStill(RENEW_MS + 500);
    await pause(RENEW_MS / 2);
    watched.mockRestore();
    expect(asked).toEqual(['renewal', 'other']);
    await done();
  });

  test('what the database kept from it comes again soon, unless it is a statement of its own that took too long', async () => {
    const putBack = jest.spyOn(store, 'putBack');
    const failed = async (error: Error): Promise<unknown> => {
      const failing = { of: () => () => Promise.reject(error) } as unknown as JobHandlers;
      await store.add([{ name: 'payout.drive', entityId: randomUUID(), lane: 'a' }]);
      const [job] = await claim();
      await new JobRunner(store, failing, new VersionGate()).run({ ...(job as Job), attempts: 6 });
      return putBack.mock.lastCall?.[1];
    };
    const timeout = (code: string): Error =>
      new DatabaseTrouble('timeout', Object.assign(new Error('timeout'), { code }));
    expect(await failed(new DatabaseTrouble('away', new Error('gone')))).toBe(1);
    expect(await failed(timeout('55P03'))).toBe(1);
    expect(await failed(timeout('57014'))).toBe(32);
    expect(await failed(new Error('a bug'))).toBe(32);
    putBack.mockRestore();
  });

  test('what goes on at once was no try: an error after many portions is tried again as soon as one after the first', async () => {
    const PORTIONS = 9;
    let portions = 0;
    const inPortions = async (): Promise<{ againInSeconds: number }> => {
      if ((portions += 1) > PORTIONS) throw new Error('a bug');
      return { againInSeconds: 0 };
    };
    const runner = new JobRunner(store, { of: () => inPortions } as unknown as JobHandlers, new VersionGate());
    const putBack = jest.spyOn(store, 'putBack');
    await store.add([{ name: 'payout.drive', entityId: randomUUID(), lane: 'a' }]);
    for (let [job] = await claim(); job; [job] = await claim()) await runner.run(job);
    expect([portions, putBack.mock.lastCall?.[1]]).toEqual([PORTIONS + 1, 1]);
    putBack.mockRestore();
  });

  test('what outlasts the wait is handed back, and what it does then is not written down', async () => {
    const { runner, done } = await underWay();
    await runner.finish(0);
    await runner.cutOff;
    const [again] = await claim();
    expect(again?.attempts).toBe(2);
    await done();
    expect(await scratch.db.rows('SELECT FROM jobs WHERE lease_token = $1', [again?.leaseToken])).toHaveLength(1);
  });
});
