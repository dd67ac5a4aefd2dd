/** A wallet that Circle lists for an address is that of the address, or none of ours: nobody is paid out of somebody else's wallet. */
import type { RailOrder } from '#libs/rail-kit';
import { ELSEWHERE, SwapBench } from './swap-rail.bench.fake';
import { LISTS, TRANSFER } from './swap-rail.world.fake';

const WALLETS = { method: 'GET', path: '/v1/w3s/wallets' };
const MADE = { method: 'POST', path: '/v1/w3s/developer/wallets' };
const OTHER_ID = 'c0ffee00-0000-4000-8000-000000000000';
const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('swap_rail, when Circle answers with what was not asked for', () => {
  let bench: SwapBench;
  let other: RailOrder;

  beforeEach(async () => {
    bench = await SwapBench.open();
    other = await bench.waiting();
  });
  afterEach(() => bench.world.close?.());

  const lists = (changes: object = {}, match = WALLETS): void => {
    const { id, address, blockchain, refId } = bench.walletOf(other);
    const wallets = [{ id, address, blockchain, refId, state: 'LIVE', walletSetId: OTHER_ID, ...changes }];
    const answer = { status: 200, body: { data: { wallets } } };
    bench.world.circle.faults.ask({ effect: 'answer', match, times: 3, answer });
  };
  /** A process that knows where the treasury is, and no wallet of a payee. */
  const another = async (): Promise<typeof bench.rail> => {
    const rail = bench.anotherProcess();
    await rail.lookup(bench.order());
    return rail;
  };
  const takenFrom = (): unknown[] => bench.sent(TRANSFER).map(({ walletId }) => walletId);

  it('does not send one payee the money of another, whose wallet is listed', async () => {
    const asked = bench.order();
    lists();
    await bench.rail.submit(asked);
    await bench.rail.advance(asked, bench.call(ELSEWHERE));
    expect(takenFrom()).not.toContain(bench.walletOf(other).id);
    expect(await bench.rail.lookup(other)).toMatchObject({ kind: 'awaiting_payee' });
  });

  it('does not take the wallet of the same address on another blockchain', async () => {
    const asked = await bench.waiting();
    const { address } = bench.walletOf(asked);
    const rail = await another();
    lists({ id: OTHER_ID, address, blockchain: 'MATIC-AMOY' });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  it('knows an address however its letters are written', async () => {
    const asked = await bench.waiting();
    const { id, address, refId } = bench.walletOf(asked);
    const rail = await another();
    lists({ id, address: `0x${address.slice(2).toUpperCase()}`, refId });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
  });

  it('sends nothing to a wallet that was made for somebody else', async () => {
    const { id: walletSetId } = bench.world.circle.state.walletSets[0] ?? {};
    lists({ walletSetId }, MADE);
    expect(await bench.rail.submit(bench.order())).toMatchObject({ kind: 'unknown' });
    expect(takenFrom()).toHaveLength(1);
  });

  it('does not call unseen, nor drain twice, what stands behind the transactions of others', async () => {
    const asked = await bench.waiting();
    await bench.rail.advance(asked, bench.call());
    const theirs = { effect: 'reworded', match: LISTS, words: { walletId: OTHER_ID, refId: 'of-others' } } as const;
    bench.world.circle.faults.ask(theirs);
    expect(await bench.rail.advance(asked, bench.call(ELSEWHERE))).toMatchObject({ kind: 'unknown' });
    bench.forgetsAll();
    bench.world.circle.faults.ask(theirs);
    expect(await bench.anotherProcess().lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
    expect(bench.drains(asked)).toHaveLength(1);
  });

  it('does not send money to the wallet of another that is shown under the id of the one asked for', async () => {
    const asked = await bench.waiting();
    const own = bench.walletOf(asked);
    const { id, address, blockchain, setId: walletSetId } = bench.walletOf(other);
    const answer = { status: 200, body: { data: { wallet: { id, address, blockchain, walletSetId, state: 'LIVE' } } } };
    const match = { method: 'GET', path: `${WALLETS.path}/${own.id}` };
    bench.world.circle.faults.ask({ effect: 'answer', match, answer });
    const { payee, payeeKey } = asked;
    expect(await bench.rail.submit(bench.order({ payee, payeeKey }))).toMatchObject({ kind: 'unknown' });
    expect(takenFrom()).toHaveLength(2);
  });
});
