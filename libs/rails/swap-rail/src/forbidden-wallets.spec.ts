/** What Circle says of the wallet of one payee keeps their payout back, and no other one. */
import { SwapBench } from './swap-rail.bench.fake';
import { turnedAway } from './swap-rail.world.fake';

describe("swap_rail, when Circle does not show us a payee's wallet", () => {
  it.each([
    [404, 155501],
    [404, 156001],
    [403, 3],
  ])('does not close the lane of all: Circle knew our key a moment ago (%i, %i)', async (status, code) => {
    const bench = await SwapBench.open();
    try {
      const before = await bench.waiting();
      const wallet = { method: 'GET', path: `/v1/w3s/wallets/${bench.walletOf(before).id}` };
      bench.world.circle.faults.ask(turnedAway(wallet, status, code));
      const asked = bench.order({ payee: before.payee, payeeKey: before.payeeKey });
      expect(await bench.rail.submit(asked)).not.toMatchObject({ failure: 'credentials' });
    } finally {
      await bench.world.close?.();
    }
  });
});
