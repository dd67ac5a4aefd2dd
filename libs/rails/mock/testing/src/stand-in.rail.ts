/**
 * A rail that settles later. What it answers to a submission lags behind its ledger, as with real providers: a payment that
 * settled already is told as accepted, or as waiting for its payee, and only a lookup tells the rest.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type AccountFact,
  type Custody,
  directiveOf,
  type ListsMovements,
  type LookupFact,
  type NoticeReading,
  type ReadsAccounts,
  type Rail,
  type RailContext,
  type RailFunds,
  type RailMovement,
  type RailOrder,
  type ReadsNotices,
  type ReportsFunding,
  type SubmitFact,
  type Verification,
  type Verifies,
} from '#libs/rail-kit';
import { ACCOUNT, accountFact, type KeptAccount } from '../../src/mock.accounts';
import { type Payment, sent, sentAgain, stateOf } from '../../src/mock.ledger';

type StandInPayment = Payment & { claimed: boolean };
/** Either all that is known of an account, or only whether it can be paid. */
type SetByATest = KeptAccount | { payable: boolean };
interface StandInNotice {
  id: string;
  railKeys: string[];
  accountIds?: string[];
}
type Funds = { currency: string; availableCents: number };

const PAYMENT = 'payment:';
const FUNDS = 'funds:';
const COUNTRY = /^acct_in_([A-Z]{2})_/;
/** The payee of a custody-free rail takes the money in the same moment. */
export const CLAIMED_AT_ONCE = 'stand-in:claimed_at_once';
const STAND_IN_FEE_CENTS = 25;
/** Anybody may know it: the stand-in guards no money. */
export const STAND_IN_NOTICE_SECRET = 'stand-in';

export class StandInRail implements Rail, ReadsAccounts, ReadsNotices, ListsMovements, ReportsFunding, Verifies {
  readonly #name: string;
  readonly #custody: Custody;
  readonly #context: RailContext;

  constructor(name: string, custody: Custody, context: RailContext) {
    this.#name = name;
    this.#custody = custody;
    this.#context = context;
  }

  async submit(order: RailOrder): Promise<SubmitFact> {
    const { store, clock } = this.#context;
    const funds = await store.read<Funds>(FUNDS + order.currency);
    if (funds && funds.availableCents < order.amountCents)
      return { kind: 'refused', failure: 'funding', reason: 'the rail is out of funds' };
    const settlesByItself = this.#custody === 'custodial' || order.reason === CLAIMED_AT_ONCE;
    const directive = directiveOf(order.reason) ?? (settlesByItself ? null : 'pending');
    const mine = { ...sent(order, directive, clock.now()), claimed: false };
    const kept = await store.claim<StandInPayment>(PAYMENT + order.railKey, mine);
    const again = (now: StandInPayment) => ({ ...sentAgain(now, directive, clock.now()), claimed: now.claimed });
    const payment =
      kept.providerRef === mine.providerRef ? kept : ((await store.update(PAYMENT + order.railKey, again)) ?? kept);
    if (directive === 'timeout') return { kind: 'unknown', detail: 'no answer arrived' };
    return payment.state === 'refused' ? (stateOf(payment) as SubmitFact) : this.#accepted(payment);
  }

  async lookup({ railKey }: RailOrder): Promise<LookupFact> {
    const payment = await this.#context.store.read<StandInPayment>(PAYMENT + railKey);
    if (!payment) return { kind: 'never_seen' };
    if (payment.state !== 'accepted') return withFee(stateOf(payment), payment);
    return payment.claimed ? { kind: 'claimed', providerRef: payment.providerRef } : this.#accepted(payment);
  }

  async readAccount(accountId: string): Promise<AccountFact> {
    const set = await this.#context.store.read<SetByATest>(ACCOUNT + accountId);
    const fact = accountFact(accountId, set && 'kyc' in set ? set : null);
    const [, country = null] = COUNTRY.exec(accountId) ?? [];
    return fact.kind === 'account'
      ? { ...fact, country, payable: set && 'payable' in set ? set.payable : fact.payable }
      : fact;
  }

  async readNotice({ headers, body }: { headers: Record<string, string>; body: Buffer }): Promise<NoticeReading> {
    const expected = createHmac('sha256', STAND_IN_NOTICE_SECRET).update(body).digest();
    const given = Buffer.from(headers['x-stand-in-signature'] ?? '', 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'forged' };
    const { id, railKeys, accountIds } = JSON.parse(body.toString('utf8')) as StandInNotice;
    return { kind: 'hints', noticeId: id, railKeys, accountIds };
  }

  async movements(since: Date): Promise<RailMovement[]> {
    const records = await this.#context.store.list<StandInPayment>(since);
    return records.flatMap(({ key, value: { settledAt, providerRef, amountCents, currency } }) => {
      if (!key.startsWith(PAYMENT) || settledAt === null) return [];
      return [{ railKey: key.slice(PAYMENT.length), providerRef, amountCents, currency, movedAt: new Date(settledAt) }];
    });
  }

  async funding(): Promise<RailFunds[]> {
    const records = await this.#context.store.list<Funds>(new Date(0));
    return records.filter(({ key }) => key.startsWith(FUNDS)).map(({ value }) => value);
  }

  /** A test may give it other credentials. */
  async verify(): Promise<Verification> {
    const given = await this.#context.store.read<{ account: string }>('credentials');
    return { kind: 'works', account: given?.account ?? 'stand-in', mode: 'sandbox' };
  }

  #accepted({ providerRef, amountCents, currency }: Payment): SubmitFact {
    const echo = { amountCents, currency };
    if (this.#custody === 'custodial') return { kind: 'accepted', providerRef, echo };
    const claimUrl = `https://${this.#name.replace('_', '-')}.example/claim/${providerRef}`;
    return { kind: 'awaiting_payee', providerRef, claimUrl, echo };
  }
}

/** It takes a little for what it settled, and tells so in look-ups only. */
function withFee(fact: LookupFact, { currency }: Payment): LookupFact {
  return fact.kind === 'settled' ? { ...fact, fee: { amountCents: STAND_IN_FEE_CENTS, currency } } : fact;
}
