/**
 * The host of the process, or of the database, was paused over a weekend and is right again: for eleven minutes the clock that rails are handed says the time
 * of before (`earliestForDoubt`), while the core sends again after one (`earliest`). What is sent then is listed all the same, and no list ends before it.
 */
import { DatabaseClock } from '#libs/db';
import { systemClock } from '#libs/domain';
import type { RailClock } from '#libs/rail-kit';
import { memoryRailStores, RecordingLog } from '#libs/rail-kit/testing';
import { custodialB } from './custodial-b';
import type { CustodialBRail } from './custodial-b.rail';
import { PaymentBench } from './payment-bench.fake';

const MINUTE = 60_000;
const WEEKEND = 2.5 * 86_400_000;

describe('custodial_b after a pause of its host that lasted for a weekend', () => {
  let bench: PaymentBench;
  let rail: CustodialBRail;
  let database: DatabaseClock;
  let ticks = 10;

  beforeEach(async () => {
    bench = await PaymentBench.open();
    database = new DatabaseClock();
    ticks = performance.now();
    const looks = (): void => database.set(bench.clock.now(), database.reading());
    const at = (after: { byTicks: number; bySystem: number }): void => {
      ticks += after.byTicks;
      bench.clock.advance(after.bySystem / 1_000);
    };
    jest.spyOn(systemClock, 'now').mockImplementation(() => bench.clock.now());
    jest.spyOn(performance, 'now').mockImplementation(() => ticks);
    looks();
    at({ byTicks: 1_000, bySystem: WEEKEND });
    looks();
    at({ byTicks: 2 * MINUTE, bySystem: 2 * MINUTE });
    looks();
    const clock: RailClock = { now: () => database.earliestForDoubt(), latest: () => database.now() }; // as in rails.module
    rail = custodialB.create({
      ...{ store: memoryRailStores(bench.clock)('custodial_b'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: (bench as never as { world: { settings: object } }).world.settings },
    } as never) as CustodialBRail;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await bench.close();
  });

  test('knows what it sent a moment ago', async () => {
    expect(database.earliest().getTime()).toBe(database.now().getTime()); // the core sends
    const order = bench.order();
    expect((await rail.submit(order)).kind).toBe('accepted');
    expect((await rail.lookup(order)).kind).not.toBe('never_seen');
  });

  test('lists what moved a moment ago', async () => {
    const order = bench.order();
    expect((await rail.submit(order)).kind).toBe('accepted');
    const listed = [];
    for await (const page of rail.movements(new Date(bench.clock.now().getTime() - 15 * MINUTE))) listed.push(...page);
    expect(listed.map(({ railKey }) => railKey)).toEqual([order.railKey]);
  });
});
