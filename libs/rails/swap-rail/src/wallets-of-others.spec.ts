/** A wallet that Circle lists for an address is that of the address, or none of ours: nobody is paid out of somebody else's wallet. */
import { ELSEWHERE, SwapBench } from './swap-rail.bench.fake';

const WALLETS = { method: 'GET', path: '/v1/w3s/wallets' };

describe('swap_rail, when Circle lists another wallet than was asked for', () => {
  it('does not send one payee the money of another', async () => {
    const bench = await SwapBench.open();
    try {
      const other = await bench.waiting();
      const asked = bench.order();
      const { id, address, blockchain, refId } = bench.walletOf(other);
      const wallets = [{ id, address, blockchain, refId, state: 'LIVE', walletSetId: 'c0ffee00-0000-4000-8000-000000000000' }];
      const { rail } = bench; // it knows where the treasury is
      bench.world.circle.faults.ask({ effect: 'answer', match: WALLETS, times: 3, answer: { status: 200, body: { data: { wallets } } } });
      await rail.submit(asked);
      await rail.advance(asked, bench.call(ELSEWHERE));
      const from = bench.world.circle.transactionsOf(asked.railKey, 'drain').map(({ from }) => from);
      expect(from).not.toContain(address);
      expect(await bench.rail.lookup(other)).toMatchObject({ kind: 'awaiting_payee' });
      expect(bench.sent({ path: '/v1/w3s/developer/transactions/transfer' }).map(({ walletId }) => walletId)).not.toContain(id);
    } finally {
      await bench.world.close?.();
    }
  });
});
