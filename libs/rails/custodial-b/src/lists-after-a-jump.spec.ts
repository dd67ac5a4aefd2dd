/**
 * The host of the process, or of the database, was paused over a weekend and is right again: for some minutes the time is known within a weekend only. What is
 * sent then is listed all the same, and no list ends before it.
 */
import type { RailClock } from '#libs/rail-kit';
import type { CustodialBRail } from './custodial-b.rail';
import { PaymentBench } from './payment-bench.fake';

const MINUTE = 60_000;
const WEEKEND = 2.5 * 86_400_000;

describe('custodial_b after a pause of its host that lasted for a weekend', () => {
  let bench: PaymentBench;
  let rail: CustodialBRail;

  beforeEach(async () => {
    bench = await PaymentBench.open();
    const before = (): Date => new Date(bench.clock.now().getTime() - WEEKEND);
    const clock: RailClock = { now: before, latest: () => bench.clock.now() };
    rail = bench.anotherProcess({}, undefined, clock);
  });
  afterEach(() => bench.close());

  test('knows what it sent a moment ago', async () => {
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
