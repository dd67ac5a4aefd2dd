/**
 * A first leg is turned away, and its process stands still for ten minutes before it counts that. Another one, started in its place, makes
 * the same call meanwhile, which Circle takes: its answer is lost, and Circle's list lags.
 */
import { SwapBench } from './swap-rail.bench.fake';
import { LISTS, TRANSFER } from './swap-rail.world.fake';

const SHORT = { status: 400, body: { code: 155258, message: 'insufficient token balance' } };
const UNLISTED = { status: 200, body: { data: { transactions: [] } } };

describe('a first leg of swap_rail whose process counts only ten minutes later that it was turned away', () => {
  let bench: SwapBench;
  beforeEach(async () => void (bench = await SwapBench.open()));
  afterEach(() => bench.world.close?.());

  /** It counts its call, hears that it is turned away, and stands still before it counts that. */
  const sleeper = (railKey: string) => bench.sleeper('update', `pay:${railKey}`, 1);

  it.each([
    ['nine minutes', 540],
    ['eleven minutes', 660],
  ])('moves once, %s later', async (_, seconds) => {
    const { faults } = bench.world.circle;
    const asked = bench.order();
    faults.ask({ effect: 'answer', match: TRANSFER, answer: SHORT });
    const { rail, wakes, fallsAsleep } = sleeper(asked.railKey);
    const late = rail.submit(asked);
    await fallsAsleep;
    // A worker is started in its place. Its job asks, hears that nothing is there, and sends it again under the same code.
    bench.clock.advance(seconds);
    faults.ask({ effect: 'cut_after', match: TRANSFER });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(bench.legs(asked)).toHaveLength(1);
    bench.clock.advance(2);
    wakes();
    const said = await late;
    // The job asks once more. Circle does not list yet what it took a moment ago.
    bench.clock.advance(2);
    faults.ask({ effect: 'answer', match: LISTS, answer: UNLISTED, times: 50 });
    await bench.rail.lookup(asked);
    await bench.rail.submit(asked);
    faults.clear();
    expect({ said: said.kind, legs: bench.legs(asked) }).toEqual({ said: 'unknown', legs: ['COMPLETE'] });
  });

  it('leaves the doubt about the other call as young as that call is', async () => {
    const { faults } = bench.world.circle;
    const asked = bench.order();
    faults.ask({ effect: 'answer', match: TRANSFER, answer: SHORT });
    const { rail, wakes, fallsAsleep } = sleeper(asked.railKey);
    const late = rail.submit(asked);
    await fallsAsleep;
    bench.clock.advance(540);
    faults.ask({ effect: 'cut_after', match: TRANSFER });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    wakes();
    await late;
    // Two minutes after the other call, whose leg is not listed yet: at rest, its rows may leave with another payout.
    bench.clock.advance(120);
    faults.ask({ effect: 'answer', match: LISTS, answer: UNLISTED, times: 50 });
    const atRest = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
    const said = await bench.rail.lookup(asked, atRest);
    faults.clear();
    expect(said).toMatchObject({ kind: 'unknown' });
  });
});
