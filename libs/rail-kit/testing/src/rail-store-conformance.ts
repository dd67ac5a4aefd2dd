/** What every RailStore must do, in memory and in Postgres alike. */
import { randomUUID } from 'node:crypto';
import type { RailRecord, RailStore } from '#libs/rail-kit';

/** Stores made for the same rail must share their records, as two processes do. */
export type MakeRailStore = (rail: string) => RailStore | Promise<RailStore>;

const FOREVER = new Date(0);
type Counter = { count: number };
const increment = ({ count }: Counter): Counter => ({ count: count + 1 });

const CHECKS: Record<string, (make: MakeRailStore) => Promise<void>> = {
  'keeps every kind of value': async (make) => {
    const value: RailRecord = { text: 'é "quoted"', number: -99_999_999_999, yes: true, no: false, nothing: null };
    const store = await make(newRail());
    expect(await store.claim('a', value)).toEqual(value);
    expect(await store.read('a')).toEqual(value);
  },

  'lets the first claim win for ever': async (make) => {
    const store = await make(newRail());
    await store.claim('a', { by: 'first' });
    expect(await store.claim('a', { by: 'second' })).toEqual({ by: 'first' });
    expect(await store.read('a')).toEqual({ by: 'first' });
  },

  'gives all of many claims at once the same answer': async (make) => {
    const rail = newRail();
    const stores = await Promise.all(tenTimes(() => make(rail)));
    const answers = await Promise.all(stores.map((store, by) => store.claim('a', { by })));
    expect(new Set(answers.map(({ by }) => by)).size).toBe(1);
  },

  'answers null for what it does not hold': async (make) => {
    const store = await make(newRail());
    expect(await store.read('missing')).toBeNull();
    expect(await store.update('missing', increment)).toBeNull();
    expect(await store.read('missing')).toBeNull();
  },

  'applies changes one at a time': async (make) => {
    const rail = newRail();
    const store = await make(rail);
    await store.claim('a', { count: 0 });
    const answers = await Promise.all(tenTimes(async () => (await make(rail)).update('a', increment)));
    expect(answers.map((answer) => answer?.count).sort(byNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await store.read('a')).toEqual({ count: 10 });
  },

  'leaves a record alone where the change throws': async (make) => {
    const store = await make(newRail());
    await store.claim('a', { count: 1 });
    const refusal = new Error('no such step');
    const change = (): Counter => {
      throw refusal;
    };
    await expect(store.update('a', change)).rejects.toThrow(refusal.message);
    expect(await store.read('a')).toEqual({ count: 1 });
  },

  'shares no object with its callers': async (make) => {
    const store = await make(newRail());
    const mine: Counter = { count: 1 };
    const claimed = await store.claim('a', mine);
    mine.count = 2;
    claimed.count = 3;
    expect(await store.read('a')).toEqual({ count: 1 });
  },

  'lists in the order of the last change, from an instant on': async (make) => {
    const store = await make(newRail());
    for (const key of ['a', 'b', 'c']) await store.claim(key, { count: 0 });
    await store.update('a', increment);
    const all = await store.list(FOREVER);
    expect(all.map(({ key, value }) => [key, value.count])).toEqual([
      ['b', 0],
      ['c', 0],
      ['a', 1],
    ]);
    const newest = all[2]?.changedAt as Date;
    expect((await store.list(newest)).map(({ key }) => key)).toContain('a');
    expect(await store.list(new Date(newest.getTime() + 60_000))).toEqual([]);
  },

  'keeps rails apart': async (make) => {
    const [one, other] = [await make(newRail()), await make(newRail())];
    await one.claim('a', { by: 'one' });
    expect(await other.read('a')).toBeNull();
    expect(await other.list(FOREVER)).toEqual([]);
  },

  'remembers after a restart': async (make) => {
    const rail = newRail();
    await (await make(rail)).claim('a', { by: 'one' });
    expect(await (await make(rail)).read('a')).toEqual({ by: 'one' });
  },
};

export function runRailStoreConformance(make: MakeRailStore): void {
  describe('a rail store', () => {
    for (const [title, check] of Object.entries(CHECKS)) it(title, () => check(make));
  });
}

/** A database outlives the test, so every check takes a rail of its own. */
const newRail = (): string => `rail_${randomUUID().slice(0, 8)}`;
const tenTimes = <T>(make: () => T): T[] => Array.from({ length: 10 }, make);
const byNumber = (a: number | undefined, b: number | undefined): number => (a ?? 0) - (b ?? 0);
