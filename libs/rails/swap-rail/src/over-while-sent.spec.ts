/**
 * A first leg is turned away, and its process stands still before it writes that its try is over. Another one makes the same call
 * meanwhile, which Circle takes: its answer is lost, and Circle's list lags.
 */
import { SwapBench } from './swap-rail.bench.fake';
import { LISTS, TRANSFER } from './swap-rail.world.fake';

const SHORT = { status: 400, body: { code: 155258, message: 'insufficient token balance' } };

describe('a first leg of swap_rail that is turned away once, and taken when it is sent once more', () => {
  let bench: SwapBench;
  beforeEach(async () => void (bench = await SwapBench.open()));
  afterEach(() => bench.world.close?.());

  /** It counts its call, and that it was turned away, and stands still before it writes more. */
  const sleeper = (railKey: string) => bench.sleeper('update', `pay:${railKey}`, 2);

  it('moves once', async () => {
    const { faults } = bench.world.circle;
    const asked = bench.order();
    faults.ask({ effect: 'answer', match: TRANSFER, answer: SHORT });
    const { rail, wakes, fallsAsleep } = sleeper(asked.railKey);
    const late = rail.submit(asked);
    await fallsAsleep;
    // Five seconds later its job asks, hears that nothing is there, and sends it again under the same code.
    bench.clock.advance(5);
    faults.ask({ effect: 'cut_after', match: TRANSFER });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(bench.legs(asked)).toHaveLength(1);
    wakes();
    // No word of the other call, which may be under way.
    expect(await late).toMatchObject({ kind: 'unknown', detail: expect.stringContaining('sent again meanwhile') });
    // The job asks once more. Circle does not list yet what it took a moment ago.
    bench.clock.advance(10);
    const unlisted = { status: 200, body: { data: { transactions: [] } } };
    faults.ask({ effect: 'answer', match: LISTS, answer: unlisted, times: 50 });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'never_seen' });
    await bench.rail.submit(asked);
    faults.clear();
    expect(bench.legs(asked)).toHaveLength(1);
  });
});
