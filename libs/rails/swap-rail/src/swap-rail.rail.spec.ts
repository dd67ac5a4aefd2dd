/** What the rail asks Circle for, and with what: wallets, keys, secrets, settings. */
import { refusedIn, SwapBench } from './swap-rail.bench.fake';
import { TRANSFER, turnedAway } from './swap-rail.world.fake';

const WALLETS = { method: 'POST', path: '/v1/w3s/developer/wallets' };
const PUBLIC_KEY = { path: '/v1/w3s/config/entity/publicKey' };

describe('swap_rail', () => {
  let bench: SwapBench;
  beforeEach(async () => void (bench = await SwapBench.open()));
  afterEach(() => bench.world.close?.());

  it('makes a wallet of the payee, and brings the money there with what says whose it is', async () => {
    const asked = await bench.waiting();
    expect(bench.sent(WALLETS)).toMatchObject([
      { accountType: 'SCA', blockchains: ['ETH-SEPOLIA'], count: 1, metadata: [{ refId: asked.payeeKey }] },
    ]);
    expect(bench.sent(TRANSFER)).toMatchObject([
      {
        ...{ walletId: bench.world.circle.treasury.id, destinationAddress: bench.walletOf(asked).address },
        ...{ feeLevel: 'MEDIUM', amounts: ['10.050000'], refId: `pay/${asked.railKey}/1/spec` },
      },
    ]);
    await bench.waiting({ payee: asked.payee });
    expect(bench.world.circle.walletsOf(asked.payeeKey)).toHaveLength(1);
  });

  it('encrypts the secret anew for each call, and under another key once Circle has one', async () => {
    await bench.waiting();
    bench.world.circle.deeds.rotate?.({});
    await bench.waiting();
    const moves = [...bench.sent(WALLETS), ...bench.sent(TRANSFER)];
    expect(new Set(moves.map(({ entitySecretCiphertext: text }) => text)).size).toBe(moves.length);
    expect(bench.calls.filter(({ path }) => path === PUBLIC_KEY.path)).toHaveLength(2);
  });

  it('is no money out when there is no key to encrypt with', async () => {
    const asked = bench.order();
    bench.world.circle.faults.ask({ effect: 'garbage', match: PUBLIC_KEY });
    expect((await bench.rail.submit(asked)).kind).toBe('unknown');
    expect(await bench.rail.lookup(asked)).toEqual({ kind: 'never_seen' });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'awaiting_payee' });
  });

  it('makes one wallet though its answer was lost and our own records with it', async () => {
    const asked = bench.order();
    bench.world.circle.faults.ask({ effect: 'cut_after', match: WALLETS });
    expect((await bench.rail.submit(asked)).kind).toBe('unknown');
    bench.forgetsAll();
    await Promise.all([bench.anotherProcess().submit(asked), bench.anotherProcess().submit(asked)]);
    expect([bench.world.circle.walletsOf(asked.payeeKey).length, bench.legs(asked)]).toEqual([1, ['COMPLETE']]);
  });

  it('asks for what it knows by its id, and lists no more than that takes', async () => {
    const asked = await bench.waiting();
    bench.calls.length = 0;
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    const { id } = bench.world.circle.treasury;
    expect(bench.calls.filter(({ query }) => query.get('walletIds') === id)).toEqual([]);
    expect(bench.calls).toHaveLength(2);
  });

  it('is found among many payouts of one payee', async () => {
    const asked = await bench.waiting();
    for (let count = 0; count < 60; count += 1) await bench.rail.submit(bench.order({ payee: asked.payee }));
    const [leg] = bench.world.circle.transactionsOf(asked.railKey, 'pay');
    bench.forgetsAll();
    expect(await bench.anotherProcess().lookup(asked)).toMatchObject({ providerRef: leg?.id });
  });

  it('tells its fee in cents, and none that Circle did not tell', async () => {
    const asked = bench.order();
    bench.world.circle.destines(asked.railKey, { ends: null, error: null });
    expect(await bench.rail.submit(asked)).not.toHaveProperty('fee');
    bench.world.circle.destines(asked.railKey, null);
    expect(await bench.rail.lookup(asked)).toMatchObject({ fee: { amountCents: 3, currency: 'USD' } });
  });

  it('pays into no wallet that is frozen, and nothing while the treasury is', async () => {
    const asked = await bench.waiting();
    const { circle } = bench.world;
    bench.walletOf(asked).state = 'FROZEN';
    const next = bench.order({ payee: asked.payee });
    expect(await bench.rail.submit(next)).toMatchObject({ kind: 'refused', failure: 'transient' });
    circle.treasury.state = 'FROZEN';
    expect(await bench.rail.submit(bench.order())).toMatchObject({ kind: 'refused', failure: 'credentials' });
    expect(await bench.rail.verify()).toMatchObject({ kind: 'rejected' });
    expect(await bench.rail.funding()).toEqual([{ currency: 'USD', availableCents: 0 }]);
    circle.treasury.state = 'LIVE';
    expect(await bench.rail.verify()).toMatchObject({ kind: 'works', mode: 'sandbox' });
  });

  it.each([
    [{ SWAP_RAIL_API_KEY: 'TEST_API_KEY:of:somebody-else' }, 'rejected', 'unknown'],
    [{ SWAP_RAIL_TREASURY_WALLET_ID: 'c0ffee00-0000-4000-8000-000000000000' }, 'rejected', 'unknown'],
    [{ SWAP_RAIL_ENTITY_SECRET: '0'.repeat(64) }, 'works', 'awaiting_payee'],
  ])('sends nothing with %p, and what was sent stays as it was', async (changes, verified, seen) => {
    const asked = await bench.waiting();
    const stranger = bench.anotherProcess(changes);
    expect((await stranger.verify()).kind).toBe(verified);
    expect(await stranger.submit(bench.order())).toMatchObject({ kind: 'refused', failure: 'credentials' });
    expect([(await stranger.lookup(asked)).kind, (await stranger.submit(asked)).kind]).toEqual([seen, seen]);
    expect(bench.legs(asked)).toEqual(['COMPLETE']);
  });

  it('is put off while earlier transfers of the treasury wait for their turn', async () => {
    bench.world.circle.faults.ask(turnedAway(TRANSFER, 400, 155264));
    const asked = bench.order();
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'not_now' });
    expect(refusedIn(await bench.rail.submit(asked))).toBeUndefined();
  });

  it.each([
    ['XX', 'SWAP_RAIL_ENTITY_SECRET'],
    ['FAST', 'SWAP_RAIL_FEE_LEVEL'],
    ['sca', 'SWAP_RAIL_ACCOUNT_TYPE'],
  ])('does not start with %p as %s', (value, env) => {
    expect(() => bench.anotherProcess({ [env]: value })).toThrow(env);
  });
});
