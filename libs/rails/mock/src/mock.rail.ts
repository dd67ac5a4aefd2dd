/**
 * The provider behind this rail is a ledger in the rail's own store, one record per railKey. Every step is a change of
 * that one record, so that two calls at once, in two processes, still move the money once.
 */
import { randomUUID } from 'node:crypto';
import {
  type AccountFact,
  type AccountRequest,
  type ArrivalFact,
  type CheckLinkFact,
  type ChecksPayees,
  type DirectedCheck,
  type DirectedStanding,
  type DirectsAccounts,
  type DirectsChecks,
  type DestinationFact,
  type Directive,
  directiveOf,
  type HostsOnboarding,
  type KeepsRecords,
  type KeepsTimes,
  type LetsPayeesBegin,
  type ListsMovements,
  type LookupFact,
  type MovesInLegs,
  type OnboardingLinkFact,
  type OpeningFact,
  type OpensAccounts,
  type OutcomeFact,
  type PayeeCheckFact,
  type Rail,
  type RailCall,
  type RailContext,
  type RailLeg,
  type RailMovement,
  type RailOrder,
  type ReadsAccounts,
  type RecordsKept,
  type SubmitFact,
  type TakesDirection,
  type TimesKept,
} from '#libs/rail-kit';
import { ACCOUNT, accountFact, JUST_OPENED, type KeptAccount, OPENING } from './mock.accounts';
import { CHECK, checkFact, directedCheck, type KeptCheck, UNCHECKED } from './mock.checks';
import { advanced, answerTo, asOf, directed, type Payment, sent, sentAgain, stateOf } from './mock.ledger';

const PREFIX = 'payment:';
/** Where orders are kept by the key of one call: a second key for the same call would show here. */
const LEG = 'leg:';
type LegRecord = { railKey: string; name: string; isAnswered: boolean };
/** The answer to a call after the first one never arrives; made again, it is answered. */
const LOST: (Directive | null)[] = ['leg_timeout', 'swap_timeout'];
/** Its client was reset while the call was on its way. */
const NO_MORE: SubmitFact = { kind: 'refused', failure: 'permanent', reason: 'its payout is no more' };
const ADDRESS = /^mock_[a-z0-9_]{1,60}$/;
/** For so long a link to its pages works. */
const LINK_SECONDS = 900;
const keyOf = (order: RailOrder): string => PREFIX + order.railKey;

type Accounts = ReadsAccounts & OpensAccounts & HostsOnboarding;
type Powers = Accounts & MovesInLegs & LetsPayeesBegin & ChecksPayees & ListsMovements;
type PowersForTests = TakesDirection & DirectsAccounts & DirectsChecks & KeepsTimes & KeepsRecords;

export class MockRail implements Rail, Powers, PowersForTests {
  readonly #context: RailContext;

  constructor(context: RailContext) {
    this.#context = context;
  }

  async submit(order: RailOrder, call?: RailCall): Promise<SubmitFact> {
    const directive = directiveOf(order.reason);
    const payment = await this.#send(order, directive, call);
    if (!payment) return NO_MORE;
    if (directive === 'return') await this.#context.hint(order.railKey);
    await this.#tellLater(order.railKey, payment);
    return answerTo(payment, directive);
  }

  async advance(order: RailOrder, leg: RailLeg): Promise<SubmitFact> {
    const { store, clock } = this.#context;
    const key = LEG + leg.key;
    const mine = { railKey: order.railKey, name: leg.name, isAnswered: false };
    const kept = await store.claimFor<LegRecord>(order.payoutId, key, mine);
    if (!kept) return NO_MORE;
    const payment = await store.update<Payment>(keyOf(order), (now) => advanced(now, leg, clock.now()));
    if (!payment) return { kind: 'unknown', detail: 'there is no payment of which it could be a part' };
    const isLost = LOST.includes(directiveOf(order.reason)) && !kept.isAnswered;
    if (!isLost) return answerTo(payment, null);
    await store.update<LegRecord>(key, (record) => ({ ...record, isAnswered: true }));
    return { kind: 'unknown', detail: 'the order asked for an answer that never arrives' };
  }

  async checkDestination(_: RailOrder, entered: string): Promise<DestinationFact> {
    const destination = entered.trim().toLowerCase();
    if (ADDRESS.test(destination)) return { kind: 'taken', destination };
    return { kind: 'refused', reason: 'A valid address begins with mock_, then letters and digits.' };
  }

  async arrivesAs(): Promise<ArrivalFact> {
    return { kind: 'arrives', coin: 'USDC', network: 'Mocknet' };
  }

  async checkPayee({ payee }: RailOrder): Promise<PayeeCheckFact> {
    const { store } = this.#context;
    const kept = (await store.read<KeptCheck>(CHECK + payee.id)) ?? UNCHECKED;
    if (kept.isDown) await store.update<KeptCheck>(CHECK + payee.id, (now) => ({ ...now, isDown: false }));
    return checkFact(kept);
  }

  async payeeCheckLink(): Promise<CheckLinkFact> {
    return { kind: 'link', url: `https://mock.example/check/${randomUUID()}`, expiresAt: this.#linkEnds() };
  }

  async directCheck({ payoutId, payee }: RailOrder, outcome: DirectedCheck): Promise<void> {
    const { store } = this.#context;
    const kept = await store.claimFor<KeptCheck>(payoutId, CHECK + payee.id, UNCHECKED);
    if (kept) await store.update<KeptCheck>(CHECK + payee.id, (now) => directedCheck(now, outcome));
  }

  async lookup(order: RailOrder): Promise<LookupFact> {
    const known = await this.#context.store.read<Payment>(keyOf(order));
    if (!known) return { kind: 'never_seen' };
    const payment = await this.#byNow(keyOf(order), known);
    await this.#tellLater(order.railKey, payment);
    return stateOf(payment);
  }

  async readAccount(accountId: string): Promise<AccountFact> {
    return accountFact(accountId, await this.#context.store.read<KeptAccount>(ACCOUNT + accountId));
  }

  /** The key keeps the id, and so a second call, or one after a crash in between, makes the same account. */
  async openAccount({ key, payee: { name } }: AccountRequest): Promise<OpeningFact> {
    const { store } = this.#context;
    const { accountId } = await store.claim(OPENING + key, { accountId: `acct_${randomUUID()}` });
    await store.claim<KeptAccount>(ACCOUNT + accountId, { ...JUST_OPENED, name });
    return { kind: 'opened', accountId };
  }

  async onboardingLink(accountId: string): Promise<OnboardingLinkFact> {
    const fact = await this.readAccount(accountId);
    if (fact.kind !== 'account') return fact;
    return { kind: 'link', url: `https://mock.example/onboarding/${randomUUID()}`, expiresAt: this.#linkEnds() };
  }

  async directAccount(accountId: string, standing: DirectedStanding): Promise<void> {
    const { store } = this.#context;
    await store.claim<KeptAccount>(ACCOUNT + accountId, { ...standing, name: null });
    await store.update<KeptAccount>(ACCOUNT + accountId, ({ name }) => ({ ...standing, name }));
  }

  async direct(order: RailOrder, outcome: OutcomeFact): Promise<void> {
    const { store, clock, hint } = this.#context;
    const direct = (current: Payment): Payment => directed(asOf(current, clock.now()), outcome, clock.now());
    const payment = await store.update<Payment>(keyOf(order), direct);
    if (!payment) throw new Error(`The mock rail has no payment ${order.railKey}: submit the payout first.`);
    await hint(order.railKey);
  }

  async movements(since: Date): Promise<RailMovement[]> {
    const records = await this.#context.store.list<Payment>(since);
    const payments = records.filter(({ key }) => key.startsWith(PREFIX));
    return payments.flatMap(({ key, value }) => movementOf(key, value)).filter(({ movedAt }) => movedAt >= since);
  }

  recordsKept(): RecordsKept {
    return { payment: PREFIX, leg: LEG, opening: OPENING, account: ACCOUNT, check: CHECK };
  }

  timesKept(): TimesKept {
    return { keyPrefix: PREFIX, properties: ['settledAt', 'dueAt'] satisfies (keyof Payment)[] };
  }

  #linkEnds(): Date {
    return new Date(this.#context.clock.latest().getTime() + LINK_SECONDS * 1000);
  }

  async #byNow(key: string, payment: Payment): Promise<Payment> {
    const { store, clock } = this.#context;
    if (asOf(payment, clock.now()) === payment) return payment;
    return (await store.update<Payment>(key, (current) => asOf(current, clock.now()))) ?? payment;
  }

  /** Of what is still to happen to it. Whoever looked too early is told once more. A claim is asked about all the time anyway. */
  async #tellLater(railKey: string, { dueAt, becomes }: Payment): Promise<void> {
    if (!dueAt || becomes === 'expired') return;
    const inSeconds = Math.max(Math.ceil((new Date(dueAt).getTime() - this.#context.clock.now().getTime()) / 1000), 1);
    await this.#context.hint(railKey, inSeconds);
  }

  /** Of many calls at once one makes the record, and the others find it: the reference tells which. */
  async #send(order: RailOrder, directive: Directive | null, call?: RailCall): Promise<Payment | null> {
    const { store, clock } = this.#context;
    const mine = sent(order, directive, clock.now());
    const kept = await store.claimFor<Payment>(order.payoutId, keyOf(order), mine);
    if (!kept || kept.providerRef === mine.providerRef) return kept;
    // A ledger in a database would take what no call brings to a provider: one whose time was over before it arrived.
    const met = (now: Payment): Payment => (call?.signal?.aborted ? now : sentAgain(now, directive, clock.now()));
    return (await store.update<Payment>(keyOf(order), met)) ?? kept;
  }
}

function movementOf(key: string, { settledAt, providerRef, amountCents, currency }: Payment): RailMovement[] {
  if (!key.startsWith(PREFIX) || settledAt === null) return [];
  return [{ railKey: key.slice(PREFIX.length), providerRef, amountCents, currency, movedAt: new Date(settledAt) }];
}
