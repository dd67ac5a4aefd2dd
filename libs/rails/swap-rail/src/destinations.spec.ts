/** Where the money of a payee may go. */
import type { RailOrder } from '#libs/rail-kit';
import { SwapBench, HOME } from './swap-rail.bench.fake';
import { ADDRESSES } from './swap-rail.world.fake';

const VALIDATE = { method: 'POST', path: '/v1/w3s/transactions/validateAddress' };

describe('a drain of swap_rail, to an address', () => {
  let bench: SwapBench;
  let asked: RailOrder;

  beforeEach(async () => {
    bench = await SwapBench.open();
    asked = await bench.waiting();
  });
  afterEach(() => bench.world.close?.());

  const check = async (entered: string): Promise<string> => {
    const answer = await bench.rail.checkDestination(asked, entered);
    return answer.kind === 'taken' ? answer.destination : answer.kind;
  };

  it.each(['', ' ', 'nowhere', `0x${'0'.repeat(40)}`, `${HOME}0`, `${HOME} ${HOME}`, '"><script>', 'x'.repeat(200)])(
    'is not begun with %p',
    async (entered) => {
      expect(await check(entered)).toBe('refused');
    },
  );

  it('is not begun with the wallet that it lies in, or the treasury, however they are written', async () => {
    for (const { address } of [bench.walletOf(asked), bench.world.circle.treasury])
      for (const entered of [address, `0x${address.slice(2).toUpperCase()}`])
        expect(await check(entered)).toBe('refused');
  });

  it('is begun with one form of it', async () => {
    expect(await check(` ${ADDRESSES[0]}\n`)).toBe(ADDRESSES[0].toLowerCase());
  });

  it('arrives as USDC, over the network of the treasury', async () => {
    expect(await bench.rail.arrivesAs()).toEqual({ kind: 'arrives', coin: 'USDC', network: 'Ethereum Sepolia' });
  });

  it('is not judged while Circle cannot be asked', async () => {
    bench.world.circle.faults.ask({ effect: 'server_error', match: VALIDATE });
    expect(await check(HOME)).toBe('unknown');
    bench.world.circle.faults.ask({ effect: 'too_many', match: VALIDATE });
    expect(await check(HOME)).toBe('not_now');
  });
});
