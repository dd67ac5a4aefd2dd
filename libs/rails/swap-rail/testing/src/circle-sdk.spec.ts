/** Circle's own client speaks to the simulated Circle, and is content: what neither of us made up is spoken alike. */
import { randomUUID } from 'node:crypto';
import { initiateDeveloperControlledWalletsClient } from '@circle-fin/developer-controlled-wallets';
import { FixedClock } from '#libs/rail-kit/testing';
import { contractOf } from '#libs/provider-sandbox';
import { CircleSandbox } from './circle-sandbox';
import { TOKEN_ID } from './circle-words';

const KEY = 'TEST_API_KEY:a:b';
const SECRET = 'cd'.repeat(32);
const HOME = `0x${'12'.repeat(20)}`;

describe("Circle's own client", () => {
  let circle: CircleSandbox;
  let client: ReturnType<typeof initiateDeveloperControlledWalletsClient>;
  const watch = contractOf('circle', { unpublished: [], closed: true });

  beforeAll(async () => {
    circle = new CircleSandbox({
      ...{ apiKey: KEY, entitySecret: SECRET, clock: new FixedClock(), treasuryCents: 10_000 },
      watch: (request, answer) => watch?.see(request, answer),
    });
    const baseUrl = await circle.start();
    client = initiateDeveloperControlledWalletsClient({ apiKey: KEY, entitySecret: SECRET, baseUrl });
  });
  afterAll(async () => {
    await circle.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });

  const wallet = async (refId: string): Promise<{ id: string; address: string }> => {
    const { data } = await client.createWallets({
      ...{ walletSetId: circle.treasury.setId, blockchains: ['ETH-SEPOLIA'], accountType: 'SCA', count: 1 },
      ...{ metadata: [{ refId }], idempotencyKey: randomUUID() },
    });
    const [made] = data?.wallets ?? [];
    if (!made) throw new Error('No wallet was made.');
    return made;
  };
  const transfer = (walletId: string, destinationAddress: string, amount: string[]) =>
    client.createTransaction({
      ...{ walletId, destinationAddress, amount, tokenId: TOKEN_ID, refId: 'mine', idempotencyKey: randomUUID() },
      fee: { type: 'level', config: { feeLevel: 'MEDIUM' } },
    });

  it('makes a wallet set and a wallet, and finds it by its reference', async () => {
    const set = (await client.createWalletSet({ name: 'ours' })).data?.walletSet;
    expect(set?.id).toBeDefined();
    const made = await wallet('ada');
    expect((await client.listWallets({ refId: 'ada' })).data?.wallets).toMatchObject([{ id: made.id, state: 'LIVE' }]);
  });

  it('moves money twice, reads what became of it, and what lies where', async () => {
    const { id, address } = await wallet('eve');
    await transfer(circle.treasury.id, address, ['10.05']);
    const sent = await transfer(id, HOME, ['10']);
    const { data } = await client.getTransaction({ id: sent.data?.id ?? '' });
    expect(data?.transaction).toMatchObject({
      state: 'COMPLETE',
      amounts: ['10'],
      refId: 'mine',
      destinationAddress: HOME,
    });
    const { tokenBalances } = (await client.getWalletTokenBalance({ id })).data ?? {};
    expect(tokenBalances).toMatchObject([{ amount: '0.05', token: { symbol: 'USDC' } }]);
    const listed = await client.listTransactions({ walletIds: [id], txType: 'OUTBOUND' });
    expect(listed.data?.transactions).toMatchObject([{ id: sent.data?.id }]);
  });

  it('is told what is wrong, in its own codes', async () => {
    await expect(transfer(circle.treasury.id, HOME, ['1000'])).rejects.toMatchObject({ code: 155258, status: 400 });
    await expect(transfer(circle.treasury.id, 'nowhere', ['1'])).rejects.toMatchObject({ code: 155219 });
  });
});
