/** A drain is asked for under another key, to another address, while one of a moment ago is not heard of. Circle's list lags. */
import type { RailOrder } from '#libs/rail-kit';
import { ELSEWHERE, SwapBench } from './swap-rail.bench.fake';
import { DRAIN, LISTS } from './swap-rail.world.fake';

describe('swap_rail, asked for another drain while one that was sent a moment ago is not listed', () => {
  let bench: SwapBench;
  beforeEach(async () => {
    bench = await SwapBench.open();
  });
  afterEach(() => bench.world.close?.());

  /** Another payout of its payee lies in the same wallet. The drain was taken, its answer is lost, and it is not listed. */
  async function sentAndUnlisted(): Promise<RailOrder> {
    const asked = await bench.waiting();
    await bench.waiting({ payee: asked.payee, payeeKey: asked.payeeKey });
    await bench.rail.lookup(asked);
    const { faults } = bench.world.circle;
    faults.ask({ effect: 'cut_after', match: DRAIN });
    expect(await bench.rail.advance(asked, bench.call())).toMatchObject({ kind: 'unknown' });
    faults.ask({ effect: 'stale_read', match: LISTS, times: 50 });
    return asked;
  }

  it('does not pay out of the other money of its payee what has left already', async () => {
    const asked = await sentAndUnlisted();
    expect(await bench.rail.advance(asked, bench.call(ELSEWHERE))).toMatchObject({ kind: 'unknown' });
    bench.world.circle.faults.clear();
    expect(bench.drains(asked)).toHaveLength(1);
  });

  it('does not call another one refused either: a third one would follow that', async () => {
    const asked = await sentAndUnlisted();
    const wallet = bench.walletOf(asked);
    wallet.state = 'FROZEN';
    expect(await bench.rail.advance(asked, bench.call(ELSEWHERE))).toMatchObject({ kind: 'unknown' });
    wallet.state = 'LIVE';
    expect(await bench.rail.advance(asked, bench.call(ELSEWHERE))).toMatchObject({ kind: 'unknown' });
    bench.world.circle.faults.clear();
    expect(bench.drains(asked)).toHaveLength(1);
  });

  it('makes another one once what was sent would be listed', async () => {
    const asked = await bench.waiting();
    bench.world.circle.faults.ask({ effect: 'cut_before', match: DRAIN });
    expect(await bench.rail.advance(asked, bench.call())).toMatchObject({ kind: 'unknown' });
    const second = bench.call(ELSEWHERE);
    expect(await bench.rail.advance(asked, second)).toMatchObject({ kind: 'unknown' });
    bench.clock.advance(601);
    await bench.rail.advance(asked, second);
    expect(bench.drains(asked)).toEqual([`COMPLETE ${ELSEWHERE}`]);
  });
});
