/** Circle took a drain, and wants to be left alone when it is asked what it made of it. */
import type { SandboxRequest } from '#libs/provider-sandbox';
import { ELSEWHERE, SwapBench } from './swap-rail.bench.fake';
import { TRANSFER } from './swap-rail.world.fake';

describe('a drain of swap_rail that Circle took', () => {
  let bench: SwapBench;
  beforeEach(async () => {
    bench = await SwapBench.open();
  });
  afterEach(() => bench.world.close?.());

  it('is not told as one that was not made, because the question after it is put off: the money has left', async () => {
    const asked = await bench.waiting();
    const { calls } = bench;
    const push = calls.push.bind(calls);
    const drained = { method: 'GET', path: '/v1/w3s/transactions/' };
    calls.push = (...requests: SandboxRequest[]) => {
      const isDrain = requests.some(({ path, body }) => path === TRANSFER.path && body.includes('"drain/'));
      if (isDrain) bench.world.circle.faults.ask({ effect: 'too_many', match: drained, seconds: 60 });
      return push(...requests);
    };
    const said = await bench.rail.advance(asked, bench.call(ELSEWHERE));
    expect(bench.drains(asked)).toEqual([`COMPLETE ${ELSEWHERE}`]);
    // "The provider did nothing": who is somebody else by now, or is blocked, counts as one whose money never left.
    expect(said.kind).not.toBe('not_now');
  });
});
