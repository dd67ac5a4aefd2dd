/** A payee whose address was refused in the time that a restored database lost says once more where to. */
import { ELSEWHERE, refusedIn, SwapBench } from './swap-rail.bench.fake';

const THIRD = `0x${'ab'.repeat(20)}`;

describe('a drain of swap_rail, of a database that was restored', () => {
  let bench: SwapBench;
  beforeEach(async () => {
    bench = await SwapBench.open();
  });
  afterEach(() => bench.world.close?.());

  /** The core comes to the same keys again: they follow from the code, the name and the round. */
  it('that came to nothing before is called refused by its own key, whichever came to nothing after it', async () => {
    const asked = await bench.waiting();
    const [first, second] = [bench.call(), bench.call(ELSEWHERE)];
    for (const { key } of [first, second])
      bench.world.circle.destines(key, { ends: 'FAILED', error: 'INTERNAL_ERROR' });
    expect(refusedIn(await bench.rail.advance(asked, first))).toBe(first.key);
    expect(refusedIn(await bench.rail.advance(asked, second))).toBe(second.key);
    // The backup is of before the first address was given: its payee gives one, and the core makes the first call.
    bench.forgetsAll();
    const restored = bench.anotherProcess();
    await restored.lookup(asked);
    const told = await restored.advance(asked, { ...first, destination: THIRD });
    // Otherwise the core makes the same call for ever, and its payee may give no other address.
    expect(refusedIn(told)).toBe(first.key);
  });

  it('that came to nothing in the lost time is called refused by its own key, and not by that of the one before', async () => {
    const asked = await bench.waiting();
    const [first, second] = [bench.call(), bench.call(ELSEWHERE)];
    for (const { key } of [first, second])
      bench.world.circle.destines(key, { ends: 'FAILED', error: 'INTERNAL_ERROR' });
    expect(refusedIn(await bench.rail.advance(asked, first))).toBe(first.key);
    const backup = await bench.records.list(new Date(0));
    expect(refusedIn(await bench.rail.advance(asked, second))).toBe(second.key);
    bench.forgetsAll();
    for (const { key, value } of backup) await bench.records.claim(key, value);
    const restored = bench.anotherProcess();
    expect(refusedIn(await restored.lookup(asked))).not.toBe(second.key);
    const told = await restored.advance(asked, { ...second, destination: THIRD });
    expect(refusedIn(told)).toBe(second.key);
  });
});
