/**
 * A drain is put off, and its process stands still for more than ten minutes before it counts that. Another one, started in its place, makes
 * the same call meanwhile, which Circle takes: its answer is lost, and Circle's list lags. Then somebody freezes the wallet for a moment.
 */
import { ELSEWHERE, SwapBench } from './swap-rail.bench.fake';
import { DRAIN, LISTS } from './swap-rail.world.fake';

it('a drain of swap_rail is not called refused because an earlier call of it, long ago, was put off', async () => {
  const bench = await SwapBench.open();
  try {
    const { faults } = bench.world.circle;
    const asked = await bench.waiting();
    await bench.waiting({ payee: asked.payee, payeeKey: asked.payeeKey });
    await bench.rail.lookup(asked);
    const leg = bench.call();
    // It counts its call, hears that it is put off, and stands still before it counts that.
    const { rail, wakes, fallsAsleep } = bench.sleeper('update', `drain:${leg.key}`, 1);
    faults.ask({ effect: 'too_many', match: DRAIN, seconds: 30 });
    const late = rail.advance(asked, leg);
    await fallsAsleep;
    bench.clock.advance(660);
    faults.ask({ effect: 'cut_after', match: DRAIN });
    expect(await bench.rail.advance(asked, leg)).toMatchObject({ kind: 'unknown' });
    wakes();
    await late;
    bench.clock.advance(2);
    faults.ask({ effect: 'stale_read', match: LISTS, times: 50 });
    const wallet = bench.walletOf(asked);
    wallet.state = 'FROZEN';
    const said = await bench.rail.advance(asked, leg);
    wallet.state = 'LIVE';
    // If that was refused, its payee is asked once more, and says another address.
    await bench.rail.advance(asked, bench.call(ELSEWHERE));
    faults.clear();
    expect({ said: said.kind, drains: bench.drains(asked).length }).toEqual({ said: 'unknown', drains: 1 });
  } finally {
    await bench.world.close?.();
  }
});
