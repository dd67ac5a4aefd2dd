/** What follows from a drain that was made and told as not made: its payee is asked once more, under another key. Circle's list lags. */
import type { SandboxRequest } from '#libs/provider-sandbox';
import { ELSEWHERE, SwapBench } from './swap-rail.bench.fake';
import { LISTS, TRANSFER } from './swap-rail.world.fake';

describe('swap_rail, asked for another drain while one that was sent a moment ago is not listed', () => {
  let bench: SwapBench;
  beforeEach(async () => {
    bench = await SwapBench.open();
  });
  afterEach(() => bench.world.close?.());

  it('does not pay out of the other money of its payee what has left already', async () => {
    const asked = await bench.waiting();
    // In the same wallet.
    await bench.waiting({ payee: asked.payee, payeeKey: asked.payeeKey });
    await bench.rail.lookup(asked);
    const { calls } = bench;
    const push = calls.push.bind(calls);
    const { faults } = bench.world.circle;
    const reading = { method: 'GET', path: '/v1/w3s/transactions/' };
    calls.push = (...requests: SandboxRequest[]) => {
      const isDrain = requests.some(({ path, body }) => path === TRANSFER.path && body.includes('"drain/'));
      if (isDrain) faults.ask({ effect: 'too_many', match: reading, seconds: 60 });
      return push(...requests);
    };
    await bench.rail.advance(asked, bench.call());
    calls.push = push;
    faults.clear();
    faults.ask({ effect: 'stale_read', match: LISTS, times: 50 });
    await bench.rail.advance(asked, bench.call(ELSEWHERE));
    faults.clear();
    expect(bench.drains(asked)).toHaveLength(1);
  });
});
