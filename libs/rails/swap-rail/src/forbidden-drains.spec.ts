/** A drain that Circle forbids for its address, or its wallet, keeps that payout back, and no other one. */
import { SwapBench } from './swap-rail.bench.fake';
import { DRAIN, turnedAway } from './swap-rail.world.fake';

describe('swap_rail, when Circle does not let us make a drain', () => {
  let bench: SwapBench;
  beforeEach(async () => {
    bench = await SwapBench.open();
  });
  afterEach(() => bench.world.close?.());

  it('does not close the lane of all for one address: Circle knew our key a moment ago', async () => {
    const asked = await bench.waiting();
    bench.world.circle.faults.ask(turnedAway(DRAIN, 403, 3));
    expect(await bench.rail.advance(asked, bench.call())).not.toMatchObject({ failure: 'credentials' });
  });

  it('closes it with a key that counts no more', async () => {
    const asked = await bench.waiting();
    bench.world.circle.faults.ask(turnedAway(DRAIN, 401, 401));
    expect(await bench.rail.advance(asked, bench.call())).toMatchObject({ failure: 'credentials' });
  });
});
