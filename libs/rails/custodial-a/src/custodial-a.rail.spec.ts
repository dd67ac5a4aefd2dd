/** What Stripe does that the conformance suite does not ask every rail for. */
import { randomUUID } from 'node:crypto';
import type { LookupAnswer, Rail, RailLeg, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { SandboxRequest } from '#libs/provider-sandbox';
import { custodialA } from './custodial-a';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';

const TRANSFER = { method: 'POST', path: '/v1/transfers' };
const PAYOUT = { method: 'POST', path: '/v1/payouts' };
const REVERSAL = { method: 'POST', path: '/v1/transfers/' };

const wanted = (said: SubmitAnswer | LookupAnswer): string | undefined =>
  said.kind === 'accepted' ? said.next?.leg : undefined;

describe('custodial_a', () => {
  let clock: FixedClock;
  let world: Awaited<ReturnType<typeof stripeWorld>>;
  let rail: CustodialARail;
  let store: ReturnType<ReturnType<typeof memoryRailStores>>;
  let legs: Map<string, RailLeg>;
  const calls: SandboxRequest[] = [];

  beforeEach(async () => {
    calls.length = 0;
    legs = new Map();
    clock = new FixedClock();
    store = memoryRailStores(clock)('custodial_a');
    world = await stripeWorld(clock, (request) => void calls.push(request));
    rail = anotherProcess();
  });
  afterEach(() => world.close?.());

  function anotherProcess(changes: Record<string, string> = {}): CustodialARail {
    return custodialA.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: { ...world.settings, ...changes },
    }) as Rail as CustodialARail;
  }

  const order = (changes: Partial<RailOrder> = {}): RailOrder =>
    testOrder(custodialA.traits, { currency: 'EUR', amountCents: 1_005, accountId: PAYEE, ...changes });

  const leg = (asked: RailOrder, name: string): Promise<SubmitAnswer> => {
    const known = legs.get(name) ?? { name, key: randomUUID(), firstSentAt: clock.now() };
    legs.set(name, known);
    return rail.advance(asked, known);
  };
  const payee = (): Record<string, number> => world.stripe.books.account(PAYEE).balances;
  const sent = ({ method, path }: { method: string; path: string }): SandboxRequest[] =>
    calls.filter((call) => call.method === method && call.path.startsWith(path));
  const transfers = ({ railKey }: RailOrder): number[] =>
    world.stripe.transfersOf(railKey).map(({ units, reversedUnits }) => units - reversedUnits);
  const payouts = ({ railKey }: RailOrder): string[] => world.stripe.payoutsOf(railKey).map(({ status }) => status);

  it('sends a transfer and a payout, with the payer on the statement', async () => {
    const asked = order({ payerName: 'Ada & Söhne <GmbH> of a very long name' });
    expect(wanted(await rail.submit(asked))).toBe('payout');
    await leg(asked, 'payout');
    const [transfer, payout] = [TRANSFER, PAYOUT].map((call) => new URLSearchParams(sent(call)[0]?.body));
    expect(Object.fromEntries(transfer ?? [])).toEqual({
      ...{ amount: '1005', currency: 'eur', destination: PAYEE, transfer_group: asked.railKey },
      'metadata[rail_key]': asked.railKey,
      ...{ 'metadata[deployment]': 'spec', 'metadata[try]': '1' },
    });
    expect(payout?.get('statement_descriptor')).toBe('Ada & Sohne GmbH of a');
    const arrived = new Date(Math.floor(clock.now().getTime() / 1000) * 1000);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled', settledAt: arrived });
  });

  it('is refused for lack of funds, and goes out under another key once there are some', async () => {
    const asked = order();
    world.stripe.fund('eur', 1_004);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    world.stripe.fund('eur', 100_000);
    expect(wanted(await anotherProcess().submit(asked))).toBe('payout');
    expect(transfers(asked)).toEqual([1_005]);
  });

  it('makes no second transfer though its own records are lost, and Stripe has forgotten the key', async () => {
    const asked = order();
    await rail.submit(asked);
    clock.advance(3 * 86_400);
    store = memoryRailStores(clock)('custodial_a');
    expect(wanted(await anotherProcess().submit(asked))).toBe('payout');
    expect(transfers(asked)).toEqual([1_005]);
  });

  it('moves once though two processes send it at the same moment, again and again', async () => {
    const asked = order();
    world.stripe.faults.ask({ effect: 'cut_after', match: TRANSFER });
    await Promise.all([rail.submit(asked), anotherProcess().submit(asked), rail.submit(asked)]);
    await rail.submit(asked);
    expect(transfers(asked)).toEqual([1_005]);
  });

  it.each([
    ['cut_before', 'unknown'],
    ['answer', 'refused'],
  ] as const)('with a key that counts no more, after %s, it is %s', async (effect, kind) => {
    const asked = order();
    const no = { status: 401, body: { error: { type: 'invalid_request_error', code: 'api_key_expired' } } };
    world.stripe.faults.ask({ effect, match: TRANSFER, answer: no });
    await rail.submit(asked);
    world.stripe.faults.ask({ effect: 'answer', match: TRANSFER, answer: no });
    expect(await rail.submit(asked)).toMatchObject({ kind });
    expect(wanted(await rail.submit(asked))).toBe('payout');
    expect(transfers(asked)).toEqual([1_005]);
  });

  it('does not close the lane of all for a question about one that was not answered', async () => {
    world.stripe.faults.ask({ effect: 'server_error', match: { method: 'GET', path: '/v1/transfers' } });
    const asked = order();
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(sent(TRANSFER)).toEqual([]);
    expect(wanted(await rail.submit(asked))).toBe('payout');
    expect(transfers(asked)).toEqual([1_005]);
  });

  describe('with the money in the account of its payee', () => {
    let asked: RailOrder;

    beforeEach(async () => {
      asked = order();
      await rail.submit(asked);
    });

    it('waits until Stripe lets it out, under a key of its own each time', async () => {
      payee().eur = 0;
      expect(await leg(asked, 'payout')).toMatchObject({ next: { leg: 'payout', afterSeconds: 3_600 } });
      clock.advance(25 * 3_600);
      payee().eur = 1_005;
      expect(await leg(asked, 'payout')).toMatchObject({ kind: 'accepted' });
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
      const keys = sent(PAYOUT).map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).toBe(2);
    });

    it('is pulled back if it is not let out within a week, as soon as the account has it again', async () => {
      payee().eur = 0;
      clock.advance(8 * 86_400);
      expect(wanted(await leg(asked, 'payout'))).toBe('pull_back');
      expect(await leg(asked, 'pull_back')).toMatchObject({ next: { leg: 'pull_back', afterSeconds: 3_600 } });
      expect(wanted(await rail.lookup(asked))).toBe('pull_back');
      payee().eur = 1_005;
      expect(await leg(asked, 'pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
      expect([transfers(asked), payouts(asked)]).toEqual([[0], []]);
    });

    it('is not paid out by a process that slept once it is to be pulled back', async () => {
      const account = world.stripe.books.account(PAYEE);
      let wakes = (): void => undefined;
      const woken = new Promise<void>((resolve) => (wakes = resolve));
      const claim: typeof store.claim = async (key, value) => {
        await woken;
        return store.claim(key, value);
      };
      const awake = store;
      store = { ...awake, claim, read: (key) => awake.read(key), update: (key, change) => awake.update(key, change) };
      const sleeper = anotherProcess();
      store = awake;
      const payout = { name: 'payout', key: randomUUID(), firstSentAt: clock.now() };
      legs.set('payout', payout);
      const late = sleeper.advance(asked, payout);
      world.stripe.books.becomes(account, 'pending');
      expect(wanted(await leg(asked, 'payout'))).toBe('pull_back');
      world.stripe.books.becomes(account, 'verified');
      wakes();
      expect(wanted(await late)).toBe('pull_back');
      expect(await leg(asked, 'pull_back')).toMatchObject({ kind: 'refused', failure: 'account' });
      expect([transfers(asked), payouts(asked), payee().eur]).toEqual([[0], [], 0]);
    });

    it.each([
      ['account_closed', 'permanent'],
      ['could_not_process', 'transient'],
    ])('is pulled back, and refused then, if the bank does not take it: %s', async (failure, kind) => {
      world.stripe.destines(asked.railKey, failure);
      await leg(asked, 'payout');
      expect(wanted(await rail.lookup(asked))).toBe('pull_back');
      world.stripe.faults.ask({ effect: 'cut_after', match: REVERSAL });
      expect(await leg(asked, 'pull_back')).toMatchObject({ kind: 'unknown' });
      expect(await anotherProcess().lookup(asked)).toMatchObject({ kind: 'refused', failure: kind });
      expect(transfers(asked)).toEqual([0]);
    });

    it('goes out under another try after that, and is told by that one', async () => {
      world.stripe.destines(asked.railKey, 'could_not_process');
      for (const name of ['payout', 'pull_back']) await leg(asked, name);
      delete world.stripe.state.fates[asked.railKey];
      legs.clear();
      expect(wanted(await anotherProcess().submit(asked))).toBe('payout');
      await leg(asked, 'payout');
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
      expect(transfers(asked)).toEqual([0, 1_005]);
    });

    const shown = async (): Promise<object> => {
      const { CUSTODIAL_A_BASE_URL: url, CUSTODIAL_A_SECRET_KEY: key } = world.settings;
      const headers = { authorization: `Bearer ${key}`, 'stripe-version': '2023-08-16' };
      return (await (await fetch(`${url}/v1/transfers?transfer_group=${asked.railKey}`, { headers })).json()) as object;
    };

    it.each([
      ['it was taken back', ['payout', 'pull_back'], []],
      ['it was not taken back yet', ['payout'], ['pull_back']],
    ])('is not told by the try before it while Stripe shows what was when %s', async (_, before, after) => {
      world.stripe.destines(asked.railKey, 'could_not_process');
      for (const name of before) await leg(asked, name);
      const answer = { status: 200, body: await shown() };
      for (const name of after) await leg(asked, name);
      delete world.stripe.state.fates[asked.railKey];
      legs.clear();
      expect(wanted(await rail.submit(asked))).toBe('payout');
      const match = { method: 'GET', path: '/v1/transfers' };
      world.stripe.faults.ask({ effect: 'answer', match, answer, times: 2 });
      expect(await rail.lookup(asked)).toEqual({ kind: 'never_seen' });
      expect(await leg(asked, 'payout')).toMatchObject({ kind: 'unknown' });
      expect(wanted(await rail.lookup(asked))).toBe('payout');
      expect(transfers(asked)).toEqual([0, 1_005]);
    });

    describe('whose account is closed to us then', () => {
      const closes = (times = 1): void => {
        const body = { error: { type: 'invalid_request_error', code: 'account_invalid' } };
        const match = { method: 'GET', path: '/v1/payouts' };
        world.stripe.faults.ask({ effect: 'answer', match, answer: { status: 403, body }, times });
      };

      it('is told from a key that does not count, and not sent there once more', async () => {
        world.stripe.destines(asked.railKey, 'could_not_process');
        for (const name of ['payout', 'pull_back']) await leg(asked, name);
        closes();
        expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'account' });
        expect(transfers(asked)).toEqual([0]);
      });

      it('is unknown until somebody reverses it at Stripe, and refused then', async () => {
        closes(3);
        expect(await leg(asked, 'payout')).toMatchObject({ kind: 'unknown', detail: expect.stringMatching(/reverse/) });
        expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
        const [transfer] = world.stripe.transfersOf(asked.railKey);
        world.stripe.books.reverse(transfer?.id ?? '', null);
        expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'account' });
        expect([transfers(asked), payouts(asked)]).toEqual([[0], []]);
      });
    });

    it('says that it came back though nobody looked while it was paid', async () => {
      await leg(asked, 'payout');
      const [payout] = world.stripe.payoutsOf(asked.railKey);
      world.stripe.books.fails(payout as NonNullable<typeof payout>, 'account_closed');
      expect(wanted(await rail.lookup(asked))).toBe('pull_back');
      expect(await leg(asked, 'pull_back')).toMatchObject({ kind: 'settled' });
      expect(await rail.lookup(asked)).toEqual({ kind: 'bounced', feeCents: 0 });
    });

    it('is neither refused nor unseen while Stripe does not know our key', async () => {
      const stranger = anotherProcess({ CUSTODIAL_A_SECRET_KEY: 'sk_test_of_somebody_else' });
      expect(await stranger.lookup(asked)).toMatchObject({ kind: 'unknown' });
      expect(await stranger.submit(asked)).toMatchObject({ kind: 'unknown' });
      expect((await stranger.submit(order())).kind).toBe('refused');
      expect(await stranger.verify()).toMatchObject({ kind: 'rejected' });
    });

    it('is unknown in words that stand in no table, and when Stripe shows two transfers', async () => {
      await leg(asked, 'payout');
      const [payout] = world.stripe.payoutsOf(asked.railKey);
      Object.assign(payout ?? {}, { status: 'resting' });
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
      const [transfer] = world.stripe.transfersOf(asked.railKey);
      world.stripe.state.transfers.push({ ...(transfer as NonNullable<typeof transfer>), id: 'tr_2' });
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    });
  });

  it('says whose account it speaks for, and what lies in it', async () => {
    expect(await rail.verify()).toEqual({ kind: 'works', account: 'acct_platform', mode: 'sandbox' });
    world.stripe.fund('huf', 123_400);
    expect(await rail.funding()).toContainEqual({ currency: 'HUF', availableCents: 123_400 });
  });
});
