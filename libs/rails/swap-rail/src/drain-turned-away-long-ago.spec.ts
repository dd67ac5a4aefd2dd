/**
 * A drain is put off, and its process stands still for more than ten minutes before it counts that. Another one, started in its place, makes
 * the same call meanwhile, which Circle takes: its answer is lost, and Circle's list lags. Then somebody freezes the wallet for a moment.
 */
import { ELSEWHERE, SwapBench } from './swap-rail.bench.fake';
import { DRAIN, LISTS } from './swap-rail.world.fake';

type Store = SwapBench['records'];

it('a drain of swap_rail is not called refused because an earlier call of it, long ago, was put off', async () => {
  const bench = await SwapBench.open();
  try {
    const { faults } = bench.world.circle;
    const asked = await bench.waiting();
    await bench.waiting({ payee: asked.payee, payeeKey: asked.payeeKey });
    await bench.rail.lookup(asked);
    const leg = bench.call();
    // Hears that it is put off, and stands still right before that is counted.
    let [wakes, sleeps] = [(): void => undefined, (): void => undefined];
    const woken = new Promise<void>((resolve) => (wakes = resolve));
    const fallsAsleep = new Promise<void>((resolve) => (sleeps = resolve));
    let wasCounted = false;
    const { records } = bench;
    const update: Store['update'] = async (key, change) => {
      if (key === `drain:${leg.key}` && wasCounted) {
        sleeps();
        await woken;
      }
      wasCounted ||= key === `drain:${leg.key}`;
      return records.update(key, change);
    };
    const store: Store = {
      claim: (key, value) => records.claim(key, value),
      claimFor: (payoutId, key, value) => records.claimFor(payoutId, key, value),
      read: (key) => records.read(key),
      list: (since) => records.list(since),
      update,
    };
    faults.ask({ effect: 'too_many', match: DRAIN, seconds: 30 });
    const late = bench.anotherProcess({}, store).advance(asked, leg);
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
