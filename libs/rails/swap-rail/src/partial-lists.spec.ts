/** A full page of wallets, and not the payee's among them, is not all that there is. */
import { memoryRailStores } from '#libs/rail-kit/testing';
import { SwapBench } from './swap-rail.bench.fake';

const WALLETS = { method: 'GET', path: '/v1/w3s/wallets' };
const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('swap_rail, of a list of wallets that goes on', () => {
  it('does not call never seen what lies in a wallet that may stand on the next page', async () => {
    const bench = await SwapBench.open();
    try {
      const asked = await bench.waiting();
      // A database of before was put back: the payee is new to it, and nothing is known of the payout.
      const store = memoryRailStores(bench.clock)('swap_rail');
      const rail = bench.anotherProcess({}, store);
      await rail.lookup(bench.order()); // from now on it knows where the treasury is
      const wallets = Array.from({ length: 50 }, (_, n) => ({
        ...{
          id: `c0ffee00-0000-4000-8000-${String(n).padStart(12, '0')}`,
          address: `0x${String(n).padStart(40, '1')}`,
        },
        ...{ blockchain: 'MATIC-AMOY', state: 'LIVE', walletSetId: 'c0ffee00-0000-4000-8000-000000000000' },
        refId: `of-somebody-else-${n}`,
      }));
      bench.world.circle.faults.ask({
        ...{ effect: 'answer', match: WALLETS, times: 2 },
        answer: { status: 200, body: { data: { wallets } } },
      });
      expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
    } finally {
      await bench.world.close?.();
    }
  });
});
