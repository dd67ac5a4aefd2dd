/** A process that slept through its own drain's failure wakes when the payee's next one is under way. */
import { SwapBench, ELSEWHERE, refusedIn } from './swap-rail.bench.fake';

describe('a drain of swap_rail that a sleeper asks for once more', () => {
  let bench: SwapBench;
  beforeEach(async () => {
    bench = await SwapBench.open();
  });
  afterEach(() => bench.world.close?.());

  it('after it failed does not hide that the one after it failed as well', async () => {
    const asked = await bench.waiting();
    const [first, second] = [bench.call(), bench.call(ELSEWHERE)];
    for (const { key } of [first, second]) bench.world.circle.destines(key, { ends: 'FAILED', error: 'X' });
    // It has looked, and stands still before it counts its send.
    const { rail: sleeper, wakes, fallsAsleep } = bench.sleeper('update', 'drain:');
    const late = sleeper.advance(asked, first);
    await fallsAsleep;
    // Its attempt is over for the core; another process makes the same call, and its payee enters another address.
    expect(refusedIn(await bench.rail.advance(asked, first))).toBe(first.key);
    bench.world.circle.destines(second.key, { ends: null, error: null });
    expect(await bench.rail.advance(asked, second)).toMatchObject({ kind: 'claimed' });
    wakes();
    await late;
    const [, drain] = bench.world.circle.transactionsOf(asked.railKey, 'drain');
    if (!drain) throw new Error('There is no second drain.');
    bench.world.circle.books.ends(drain, 'CANCELLED');
    // The payee is to be asked for an address again: of that call, and of no earlier one, it has to be told that it was refused.
    expect(refusedIn(await bench.rail.lookup(asked))).toBe(second.key);
  });
});
