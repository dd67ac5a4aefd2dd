/** What Circle does that the conformance suite does not ask every rail for. */
import type { Rail, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import { transactionBody } from '../testing/src/circle-words';
import { swapRail } from './swap-rail';
import type { SwapRail } from './swap-rail.rail';
import { circleWorld, LISTS, TRANSFER, turnedAway } from './swap-rail.world.fake';

const WALLETS = { method: 'POST', path: '/v1/w3s/developer/wallets' };
const PUBLIC_KEY = { path: '/v1/w3s/config/entity/publicKey' };
const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
const ELSEWHERE = { ...AT_REST, movesNothing: 'sent_elsewhere' } as const;

describe('swap_rail', () => {
  let clock: FixedClock;
  let world: Awaited<ReturnType<typeof circleWorld>>;
  let store: ReturnType<ReturnType<typeof memoryRailStores>>;
  let rail: SwapRail;
  const calls: { request: SandboxRequest; answer: SandboxAnswer }[] = [];

  beforeEach(async () => {
    calls.length = 0;
    clock = new FixedClock();
    store = memoryRailStores(clock)('swap_rail');
    world = await circleWorld(clock, (request, answer) => void calls.push({ request, answer }));
    rail = anotherProcess();
  });
  afterEach(() => world.close?.());

  function anotherProcess(changes: Record<string, string> = {}): SwapRail {
    return swapRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: { ...world.settings, ...changes },
    }) as Rail as SwapRail;
  }
  const forgetsAll = (): void => void (store = memoryRailStores(clock)('swap_rail'));

  const order = (changes: Partial<RailOrder> = {}): RailOrder =>
    testOrder(swapRail.traits, { amountCents: 1_005, ...changes });
  const sent = ({ method, path }: { method: string; path: string }): Record<string, unknown>[] =>
    calls
      .filter(({ request }) => request.method === method && request.path === path)
      .map(({ request }) => JSON.parse(request.body) as Record<string, unknown>);
  const legs = ({ railKey }: RailOrder): string[] =>
    world.circle.transactionsOf(railKey, 'pay').map(({ state }) => state);
  const begins = (fact: SubmitAnswer): string | undefined =>
    fact.kind === 'awaiting_payee' ? fact.begins?.leg : undefined;

  it('makes a wallet of the payee, and brings the money there with what says whose it is', async () => {
    const asked = order();
    expect(begins(await rail.submit(asked))).toBe('drain');
    const [wallet] = world.circle.walletsOf(asked.payee.id);
    expect(sent(WALLETS)).toMatchObject([
      { accountType: 'SCA', blockchains: ['ETH-SEPOLIA'], count: 1, metadata: [{ refId: asked.payee.id }] },
    ]);
    expect(sent(TRANSFER)).toMatchObject([
      {
        ...{ walletId: world.circle.treasury.id, destinationAddress: wallet?.address, feeLevel: 'MEDIUM' },
        ...{ amounts: ['10.050000'], refId: `pay/${asked.railKey}/1/spec` },
      },
    ]);
    expect(await rail.submit(order({ payee: asked.payee }))).toMatchObject({ kind: 'awaiting_payee' });
    expect(world.circle.walletsOf(asked.payee.id)).toHaveLength(1);
  });

  it('encrypts the secret anew for each call, and under another key once Circle has one', async () => {
    await rail.submit(order());
    world.circle.deeds.rotate?.({});
    await rail.submit(order());
    const ciphertexts = [...sent(WALLETS), ...sent(TRANSFER)].map(({ entitySecretCiphertext: text }) => text);
    expect(new Set(ciphertexts).size).toBe(ciphertexts.length);
    expect(calls.filter(({ request }) => request.path === PUBLIC_KEY.path)).toHaveLength(2);
  });

  it('is no money out when there is no key to encrypt with', async () => {
    const asked = order();
    world.circle.faults.ask({ effect: 'garbage', match: PUBLIC_KEY });
    expect((await rail.submit(asked)).kind).toBe('unknown');
    expect(await rail.lookup(asked)).toEqual({ kind: 'never_seen' });
    expect(begins(await rail.submit(asked))).toBe('drain');
  });

  it('makes one wallet though its answer was lost and our own records with it', async () => {
    const asked = order();
    world.circle.faults.ask({ effect: 'cut_after', match: WALLETS });
    expect((await rail.submit(asked)).kind).toBe('unknown');
    forgetsAll();
    await Promise.all([anotherProcess().submit(asked), anotherProcess().submit(asked)]);
    expect([world.circle.walletsOf(asked.payee.id).length, legs(asked)]).toEqual([1, ['COMPLETE']]);
  });

  it('makes no second first leg though our own records are lost, long after', async () => {
    const asked = order();
    const first = await rail.submit(asked);
    clock.advance(90 * 86_400);
    forgetsAll();
    const restored = anotherProcess();
    expect(await restored.lookup(asked)).toEqual(first);
    expect(await restored.submit(asked)).toEqual(first);
    expect(legs(asked)).toEqual(['COMPLETE']);
  });

  it('moves once though two processes send it at the same moment, and Circle does not list it yet', async () => {
    const asked = order();
    const nothing = { status: 200, body: { data: { transactions: [] } } };
    world.circle.faults.ask({ effect: 'answer', match: LISTS, answer: nothing, times: 6 });
    await Promise.all([rail.submit(asked), anotherProcess().submit(asked), rail.submit(asked)]);
    world.circle.faults.clear();
    expect(begins(await rail.submit(asked))).toBe('drain');
    expect(legs(asked)).toEqual(['COMPLETE']);
  });

  it('asks for what it knows by its id, and lists no more than that takes', async () => {
    const asked = order();
    await rail.submit(asked);
    calls.length = 0;
    expect(begins((await rail.lookup(asked)) as SubmitAnswer)).toBe('drain');
    const { id } = world.circle.treasury;
    expect(calls.filter(({ request: { query } }) => query.get('walletIds') === id)).toEqual([]);
    expect(calls).toHaveLength(2);
  });

  it('is not sent once more, nor drained from elsewhere, for a payee who was made anew after all was forgotten', async () => {
    const asked = order();
    await rail.submit(asked);
    forgetsAll();
    const anew = { ...asked, payee: { ...asked.payee, id: order().payee.id } };
    expect(await anotherProcess().submit(anew)).toMatchObject({ kind: 'unknown' });
    expect(legs(asked)).toEqual(['COMPLETE']);
  });

  describe('that is refused', () => {
    it.each([
      ['INSUFFICIENT_NATIVE_TOKEN', 'funding'],
      ['PAYMASTER_TOTAL_SPEND_DAILY', 'funding'],
      ['FAILED_REORG', 'transient'],
      ['A_WORD_OF_TOMORROW', 'transient'],
    ])('after it was sent, for %s, as %s, goes out under another key', async (error, failure) => {
      const asked = order();
      world.circle.destines(asked.railKey, { ends: 'FAILED', error });
      for (let turn = 0; turn < 2; turn += 1) {
        const said = turn === 0 ? await rail.submit(asked) : await anotherProcess().lookup(asked);
        expect(said).toMatchObject({ kind: 'refused', failure });
      }
      world.circle.destines(asked.railKey, null);
      expect(begins(await rail.submit(asked))).toBe('drain');
      expect(legs(asked)).toEqual(['FAILED', 'COMPLETE']);
      const keys = sent(TRANSFER).map(({ idempotencyKey }) => idempotencyKey);
      expect(new Set(keys).size).toBe(2);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    });

    it.each(['nothing', 'the first'])('is found by its last try when our own records know of %s', async (known) => {
      const asked = order();
      const record = `pay:${asked.railKey}`;
      world.circle.destines(asked.railKey, { ends: 'FAILED', error: 'INTERNAL_ERROR' });
      await rail.submit(asked);
      const first = await store.read(record);
      world.circle.destines(asked.railKey, null);
      await rail.submit(asked);
      if (known === 'nothing') forgetsAll();
      else await store.update(record, (now) => ({ ...now, ...first, over: false }));
      const restored = anotherProcess();
      expect(await restored.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
      expect(begins(await restored.submit(asked))).toBe('drain');
      expect(legs(asked)).toEqual(['FAILED', 'COMPLETE']);
    });

    it('for lack of funds that are really missing goes out once they are there', async () => {
      const asked = order();
      world.circle.fund(1_004);
      for (let turn = 0; turn < 2; turn += 1)
        expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      world.circle.fund(1_005);
      expect(begins(await anotherProcess().submit(asked))).toBe('drain');
      expect(await rail.funding()).toEqual([{ currency: 'USD', availableCents: 0 }]);
    });

    it('is not called so while an answer is missing, until that is long ago', async () => {
      const asked = order();
      world.circle.faults.ask({ effect: 'silence_before', match: TRANSFER });
      expect((await rail.submit(asked)).kind).toBe('unknown');
      world.circle.fund(0);
      expect((await rail.submit(asked)).kind).toBe('unknown');
      expect(await rail.lookup(asked)).toEqual({ kind: 'never_seen' });
      expect((await rail.lookup(asked, AT_REST)).kind).toBe('unknown');
      clock.advance(601);
      expect(await rail.lookup(asked, AT_REST)).toEqual({ kind: 'never_seen' });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    }, 20_000);
  });

  it('sends nothing when it is asked, and nothing with another treasury', async () => {
    const asked = order();
    world.circle.faults.ask({ effect: 'cut_before', match: TRANSFER });
    await rail.submit(asked);
    for (const call of [undefined, AT_REST, ELSEWHERE]) await rail.lookup(asked, call);
    expect(legs(asked)).toEqual([]);
    await rail.submit(asked);
    const { id } = world.circle.books.open({ ...world.circle.treasury, refId: 'another treasury' });
    const other = anotherProcess({ SWAP_RAIL_TREASURY_WALLET_ID: id });
    // The same entity shows what it has to whoever knows its id; one that does not, nothing.
    expect(await other.lookup(asked, ELSEWHERE)).toMatchObject({ kind: 'awaiting_payee' });
    forgetsAll();
    const stranger = anotherProcess({ SWAP_RAIL_TREASURY_WALLET_ID: id });
    expect(await stranger.lookup(asked, ELSEWHERE)).toEqual({ kind: 'never_seen' });
    expect(await rail.verify()).not.toEqual(await other.verify());
    expect(legs(asked)).toEqual(['COMPLETE']);
  });

  it.each(['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'STUCK', 'CONFIRMED'])(
    'waits while it is %s at Circle, and is paid nothing twice',
    async (state) => {
      const asked = order();
      world.circle.destines(asked.railKey, { ends: null, error: null });
      await rail.submit(asked);
      shows(asked, state);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'accepted' });
    },
  );

  it.each(['PENDING_RISK_SCREENING', 'RESTING'])('is unknown in a word that stands in no table: %s', async (state) => {
    const asked = order();
    await rail.submit(asked);
    shows(asked, state);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  /** The next time it is asked for, it is in this state. */
  function shows({ railKey }: RailOrder, state: string): void {
    const [leg] = world.circle.transactionsOf(railKey, 'pay');
    const transaction = transactionBody({ ...(leg as NonNullable<typeof leg>), state });
    const answer = { status: 200, body: { data: { transaction } } };
    world.circle.faults.ask({ effect: 'answer', match: { ...LISTS, contains: leg?.id }, answer });
  }

  it('is unknown when Circle shows two first legs', async () => {
    const asked = order();
    await rail.submit(asked);
    const [leg] = world.circle.transactionsOf(asked.railKey, 'pay');
    world.circle.state.transactions.push({ ...(leg as NonNullable<typeof leg>), id: 'another' });
    forgetsAll();
    rail = anotherProcess();
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
  });

  it('tells its fee in cents, and none that Circle did not tell', async () => {
    const asked = order();
    world.circle.destines(asked.railKey, { ends: null, error: null });
    expect(await rail.submit(asked)).not.toHaveProperty('fee');
    world.circle.destines(asked.railKey, null);
    expect(await rail.lookup(asked)).toMatchObject({ fee: { amountCents: 3, currency: 'USD' } });
  });

  it('pays into no wallet that is frozen, and nothing while the treasury is', async () => {
    const asked = order();
    await rail.submit(asked);
    const [wallet] = world.circle.walletsOf(asked.payee.id);
    world.circle.deeds.freeze?.({ wallet: wallet?.id });
    const next = order({ payee: asked.payee });
    expect(await rail.submit(next)).toMatchObject({ kind: 'refused', failure: 'transient' });
    world.circle.deeds.freeze?.({ wallet: world.circle.treasury.id });
    expect(await rail.submit(order())).toMatchObject({ kind: 'refused', failure: 'credentials' });
    expect(await rail.verify()).toMatchObject({ kind: 'rejected' });
    expect(await rail.funding()).toEqual([{ currency: 'USD', availableCents: 0 }]);
    world.circle.deeds.thaw?.({ wallet: world.circle.treasury.id });
    expect(await rail.verify()).toMatchObject({ kind: 'works', mode: 'sandbox' });
  });

  it.each([
    [{ SWAP_RAIL_API_KEY: 'TEST_API_KEY:of:somebody-else' }, 'rejected', 'unknown'],
    [{ SWAP_RAIL_TREASURY_WALLET_ID: 'c0ffee00-0000-4000-8000-000000000000' }, 'rejected', 'unknown'],
    [{ SWAP_RAIL_ENTITY_SECRET: '0'.repeat(64) }, 'works', 'awaiting_payee'],
  ])('sends nothing with %p, and what was sent stays as it was', async (changes, verified, seen) => {
    const asked = order();
    await rail.submit(asked);
    const stranger = anotherProcess(changes);
    expect((await stranger.verify()).kind).toBe(verified);
    expect(await stranger.submit(order())).toMatchObject({ kind: 'refused', failure: 'credentials' });
    expect([(await stranger.lookup(asked)).kind, (await stranger.submit(asked)).kind]).toEqual([seen, seen]);
    expect(legs(asked)).toEqual(['COMPLETE']);
  });

  it('is put off while earlier transfers of the treasury wait for their turn', async () => {
    world.circle.faults.ask(turnedAway(TRANSFER, 400, 155264));
    const asked = order();
    expect(await rail.submit(asked)).toMatchObject({ kind: 'not_now' });
    expect(begins(await rail.submit(asked))).toBe('drain');
  });

  it('is found among many payouts of one payee', async () => {
    const { payee } = order();
    const asked = order({ payee });
    await rail.submit(asked);
    for (let count = 0; count < 60; count += 1) await rail.submit(order({ payee }));
    const [leg] = world.circle.transactionsOf(asked.railKey, 'pay');
    forgetsAll();
    expect(await anotherProcess().lookup(asked)).toMatchObject({ providerRef: leg?.id });
  });

  it.each([
    ['XX', 'SWAP_RAIL_ENTITY_SECRET'],
    ['FAST', 'SWAP_RAIL_FEE_LEVEL'],
    ['sca', 'SWAP_RAIL_ACCOUNT_TYPE'],
  ])('does not start with %p as %s', (value, env) => {
    expect(() => anotherProcess({ [env]: value })).toThrow(env);
  });
});
