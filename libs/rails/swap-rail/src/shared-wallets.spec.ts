/** A wallet is fungible: several payouts of one payee lie in it, and what is taken back of one is not the other's. */
import { setTimeout as turn } from 'node:timers/promises';
import type { RailOrder } from '#libs/rail-kit';
import { SwapBench, ELSEWHERE, HOME } from './swap-rail.bench.fake';
import { DRAIN } from './swap-rail.world.fake';

describe('payouts of swap_rail in one wallet', () => {
  let bench: SwapBench;
  let asked: RailOrder;
  let other: RailOrder;

  beforeEach(async () => {
    bench = await SwapBench.open();
    asked = await bench.waiting();
    other = await bench.waiting({ payee: asked.payee, amountCents: 2_000 });
  });
  afterEach(() => bench.world.close?.());

  it('are drained each for itself', async () => {
    const { rail, world } = bench;
    expect(world.circle.walletsOf(asked.payeeKey)).toHaveLength(1);
    expect(await rail.advance(other, bench.call())).toMatchObject({ kind: 'settled', echo: { amountCents: 2_000 } });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    expect(await rail.advance(asked, bench.call(ELSEWHERE))).toMatchObject({ kind: 'settled' });
    expect([bench.drains(asked), bench.drains(other)]).toEqual([[`COMPLETE ${ELSEWHERE}`], [`COMPLETE ${HOME}`]]);
    expect(world.circle.books.balanceOf(bench.walletOf(asked).address)).toBe(0);
  });

  it('do not take the money of each other when their own was taken back', async () => {
    bench.takesBack(asked);
    expect(await bench.rail.advance(asked, bench.call())).toMatchObject({ kind: 'refused', failure: 'expired' });
    bench.forgetsAll();
    expect(await bench.anotherProcess().lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
    expect(bench.drains(asked)).toEqual([]);
    expect(await bench.anotherProcess().advance(other, bench.call())).toMatchObject({ kind: 'settled' });
  });

  it('are not taken from by a process that slept once the money was taken back, and told to be', async () => {
    const { rail: sleeper, wakes } = bench.sleeper('claim');
    bench.calls.length = 0;
    const late = sleeper.advance(asked, bench.call());
    const reads = `/v1/w3s/wallets/${bench.walletOf(asked).id}`;
    while (!bench.calls.some(({ path }) => path === reads)) await turn(5);
    bench.takesBack(asked);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
    wakes();
    expect((await late).kind).toBe('unknown');
    expect(bench.drains(asked)).toEqual([]);
    expect(await bench.rail.advance(other, bench.call())).toMatchObject({ kind: 'settled' });
  });

  it.each([
    ['counts the drain', 'drain:', true],
    ['writes down that it begins', 'drains:', false],
  ])('do not pay twice if a process slept before it %s, and one was taken back', async (_, record, over) => {
    const { rail: sleeper, wakes, fallsAsleep } = bench.sleeper('update', record);
    const late = sleeper.advance(asked, bench.call());
    await fallsAsleep;
    bench.takesBack(asked);
    const told = await bench.rail.lookup(asked);
    wakes();
    await late;
    // Either it is over, and nothing leaves, or it is not told to be.
    expect([told.kind, bench.drains(asked).length]).toEqual(over ? ['refused', 0] : ['unknown', 1]);
  });

  it('are not told to be over while a drain may be under way', async () => {
    bench.world.circle.faults.ask({ effect: 'cut_before', match: DRAIN });
    await bench.rail.advance(asked, bench.call());
    bench.takesBack(asked);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    bench.clock.advance(601);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
  });

  it('are paid by a first leg of their own when they are tried again after that', async () => {
    bench.takesBack(asked);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'awaiting_payee' });
    expect(await bench.rail.advance(asked, bench.call())).toMatchObject({ kind: 'settled' });
    expect(bench.drains(asked)).toEqual([`COMPLETE ${HOME}`]);
    expect(await bench.world.out?.(asked.railKey)).toBe(1_005);
  });

  it('are in doubt when Circle shows a drain, and that the money was taken back', async () => {
    await bench.rail.advance(asked, bench.call());
    bench.takesBack(asked);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['of some of it', { units: 1 }],
    ['not to the treasury', { to: ELSEWHERE }],
    ['not there yet', { state: 'SENT' }],
  ])('are in doubt if what was taken back is %s', async (_, changes) => {
    const back = bench.takesBack(asked);
    bench.world.circle.destines(back.refId ?? '', { ends: null, error: null });
    Object.assign(back, changes);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(await bench.rail.advance(asked, bench.call())).toMatchObject({ kind: 'unknown' });
    expect(bench.drains(asked)).toEqual([]);
  });
});
