import type { AccountFact, Rail, RailOrder, ReadsAccounts, TakesDirection } from '#libs/rail-kit';
import {
  FixedClock,
  memoryRailStores,
  type ProviderOutcome,
  RecordingLog,
  runRailConformance,
  testOrder,
  type WorldParts,
} from '#libs/rail-kit/testing';
import { becomesInLedger, happensInLedger, openedInLedger } from '../testing/src/ledger-events';
import { mockRail } from './mock';
import { detailsOf } from './mock.accounts';
import { CHECK, directedCheck, type KeptCheck, UNCHECKED } from './mock.checks';
import type { Payment } from './mock.ledger';

const NO_WIRE = 'nothing lies between this rail and its ledger';
const SAME_STORE = "its provider's ledger is the rail's store: one is restored with the other";
const DIRECTIVES: Partial<Record<ProviderOutcome, string>> = {
  accept: 'mock:pending',
  refused_later: 'mock:pending',
  refuse_permanent: 'mock:fail_permanent',
  refuse_transient: 'mock:fail_transient',
  refuse_funding: 'mock:insufficient_funds',
  lost_answer: 'mock:timeout',
  in_legs: 'mock:two_legs',
  leg_refused: 'mock:leg_refused',
  leg_lost_answer: 'mock:leg_timeout',
  payee_begins: 'mock:swap',
  begun_refused: 'mock:swap_refused',
  begun_lost_answer: 'mock:swap_timeout',
  check_down: 'mock:swap',
};

runRailConformance({
  definition: mockRail,
  cannot: {
    server_error: NO_WIRE,
    hang: NO_WIRE,
    garbage: NO_WIRE,
    wrong_amount: NO_WIRE,
    lookup_down: NO_WIRE,
    begun_read_later: NO_WIRE,
    leg_server_error: NO_WIRE,
    not_now: NO_WIRE,
    unknown_code: NO_WIRE,
    unknown_state: NO_WIRE,
    pages: NO_WIRE,
    restored: SAME_STORE,
    restored_asked: SAME_STORE,
    refuse_credentials: 'its provider asks for no credentials',
    open_lost_answer: NO_WIRE,
    open_not_now: NO_WIRE,
    open_refused: 'its provider opens an account for anybody',
    refuse_account: 'its provider keeps no accounts, and looks at none when it pays',
  },
  world: async ({ store, clock }: WorldParts) => ({
    settings: {},
    happens: happensInLedger({ store, clock }),
    accounts: {
      ...{ payable: 'acct_1', foreign: 'acct_foreign_1', details: detailsOf('acct_1', null) },
      becomes: becomesInLedger(store),
      opened: openedInLedger(store),
    },
    destinations: {
      ...{ good: ['mock_one', ' Mock_Two'], bad: '0x-nowhere' },
      reached: async (railKey) => {
        const payment = await store.read<Payment>(`payment:${railKey}`);
        return payment?.destination ? [payment.destination] : [];
      },
    },
    finds: async ({ payee }, event) => {
      await store.claim<KeptCheck>(CHECK + payee.id, UNCHECKED);
      await store.update<KeptCheck>(CHECK + payee.id, (kept) => directedCheck(kept, event));
    },
    arrange: async (outcome, order) => {
      if (outcome === 'check_down')
        await store.claim<KeptCheck>(CHECK + order.payee.id, { ...UNCHECKED, isDown: true });
      return { ...order, reason: DIRECTIVES[outcome] ?? null };
    },
    out: async (railKey) => {
      const payment = await store.read<Payment>(`payment:${railKey}`);
      if (!payment || payment.state === 'refused') return 0;
      return payment.state === 'bounced' ? payment.feeCents : payment.amountCents;
    },
    movements: async (railKey) => {
      const payment = await store.read<Payment>(`payment:${railKey}`);
      return payment?.settledAt ? [{ amountCents: payment.amountCents, currency: payment.currency }] : [];
    },
  }),
});

describe('the mock rail', () => {
  const clock = new FixedClock();
  const stores = memoryRailStores(clock);
  const hints: string[] = [];
  const hint = async (railKey: string): Promise<void> => void hints.push(railKey);
  const context = { settings: {}, store: stores('mock'), clock, log: new RecordingLog(), deployment: 'here', hint };
  const rail = mockRail.create(context) as Rail & ReadsAccounts & TakesDirection;
  const order = (reason: string | null): RailOrder => testOrder(mockRail.traits, { reason });

  it.each([null, 'March salary', 'mock:unheard_of', ' mock:pending'])(
    'settles now for the reason %j',
    async (reason) => {
      expect(await rail.submit(order(reason))).toMatchObject({ kind: 'settled', settledAt: clock.now() });
    },
  );

  it.each([
    ['mock:fail_transient', 'transient'],
    ['mock:fail_permanent', 'permanent'],
    ['mock:insufficient_funds', 'funding'],
  ])('%s is refused on every try', async (reason, failure) => {
    const sent = order(reason);
    for (const fact of [await rail.submit(sent), await rail.submit(sent), await rail.lookup(sent)])
      expect(fact).toMatchObject({ kind: 'refused', failure });
  });

  it('a call whose time is over when it arrives comes to nothing', async () => {
    const sent = order('mock:fail_once');
    await rail.submit(sent);
    await rail.submit(sent, { signal: AbortSignal.abort() });
    expect(await rail.lookup(sent)).toMatchObject({ kind: 'refused', failure: 'transient' });
  });

  it('mock:fail_once is refused for now, and settles on the next try', async () => {
    const sent = order('mock:fail_once');
    expect(await rail.submit(sent)).toMatchObject({ kind: 'refused', failure: 'transient' });
    expect(await rail.submit(sent)).toMatchObject({ kind: 'settled' });
    expect(await rail.lookup(sent)).toMatchObject({ kind: 'settled' });
  });

  it('mock:timeout leaves the outcome unknown, and a lookup finds it settled', async () => {
    const sent = order('mock:timeout');
    expect(await rail.submit(sent)).toMatchObject({ kind: 'unknown' });
    expect(await rail.lookup(sent)).toMatchObject({ kind: 'settled', settledAt: clock.now() });
  });

  it('mock:pending stays accepted until it is directed', async () => {
    const sent = order('mock:pending');
    expect(await rail.submit(sent)).toMatchObject({ kind: 'accepted' });
    clock.advance(86_400);
    expect(await rail.lookup(sent)).toMatchObject({ kind: 'accepted' });
    await rail.direct(sent, { kind: 'settled' });
    expect(await rail.lookup(sent)).toMatchObject({ kind: 'settled', settledAt: clock.now() });
  });

  it('mock:return settles, hints, and has bounced with its fee when it is looked up', async () => {
    const sent = order('mock:return');
    const first = await rail.submit(sent);
    expect(first).toMatchObject({ kind: 'settled' });
    expect(hints).toContain(sent.railKey);
    expect(await rail.lookup(sent)).toEqual({ kind: 'bounced', feeCents: 25 });
    expect(await rail.submit(sent)).toEqual(first);
  });

  it('may be tried again after it was directed to fail for now', async () => {
    const sent = order('mock:pending');
    await rail.submit(sent);
    await rail.direct(sent, { kind: 'refused', failure: 'transient', reason: 'bank closed' });
    expect(await rail.lookup(sent)).toEqual({ kind: 'refused', failure: 'transient', reason: 'bank closed' });
    expect(await rail.submit(sent)).toMatchObject({ kind: 'accepted' });
  });

  it('refuses a direction that no provider could follow', async () => {
    const sent = order(null);
    await expect(rail.direct(sent, { kind: 'settled' })).rejects.toThrow(/submit the payout first/);
    await rail.submit(sent);
    const refusal = { kind: 'refused', failure: 'permanent', reason: 'too late' } as const;
    await expect(rail.direct(sent, refusal)).rejects.toThrow(/settled .* cannot become refused/);
  });

  it.each<[string, Partial<AccountFact>]>([
    ['acct_missing_1', { kind: 'unconfirmed' }],
    ['acct_foreign_1', { kind: 'unconfirmed' }],
    ['acct_down_1', { kind: 'unknown' }],
    ['acct_restricted_1', { kind: 'account', payable: false, kyc: 'pending', onboarding: 'restricted' }],
    ['acct_1', { kind: 'account', payable: true, kyc: 'verified', onboarding: 'complete', country: null }],
  ])('reads the account %s', async (accountId, fact) => {
    expect(await rail.readAccount(accountId)).toMatchObject(fact);
  });
});
