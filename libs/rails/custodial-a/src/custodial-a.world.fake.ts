/** The simulated Stripe as the conformance suite asks for it. */
import { ourAmount, providerAmount, providerDigits, type RailOrder } from '#libs/rail-kit';
import {
  type AccountsWorld,
  type FixedClock,
  type HeldFunds,
  ON_A_PAGE,
  type ProviderEvent,
  type ProviderOutcome,
  type RailNotice,
  type RailSubject,
  type RailWorld,
  REST_SECONDS,
  UNKNOWN_WORD,
  type WorldParts,
} from '#libs/rail-kit/testing';
import {
  ContractWatch,
  type Fault,
  type Notice,
  publishedSchema,
  type SandboxAnswer,
  type SandboxRequest,
} from '#libs/provider-sandbox';
import { decodedForm, StripeSandbox } from '../testing/src';
import { custodialA } from './custodial-a';

export const CANNOT: RailSubject['cannot'] = {
  refuse_transient: 'what Stripe does not do for now it puts off with a 429, or leaves in doubt',
  bounce_keeps: 'Stripe names no fee for what comes back',
};

export const CANNOT_VERIFY: RailSubject['cannotVerify'] = {
  CUSTODIAL_A_WEBHOOK_SECRET: 'only what Stripe tells by itself is signed with it',
  CUSTODIAL_A_CONNECT_WEBHOOK_SECRET: 'only what Stripe tells by itself is signed with it',
};

export const SECRET_KEY = 'sk_test_of_the_simulated_platform';
const LIVE_KEY = 'sk_live_of_another_platform';
export const PAYEE = 'acct_payee';
const SECRETS = { platform: 'whsec_of_the_platform', connect: 'whsec_of_connected_accounts' };

const TRANSFER = { method: 'POST', path: '/v1/transfers' };
const PAYOUT = { method: 'POST', path: '/v1/payouts' };
const OPEN = { method: 'POST', path: '/v1/accounts' };

const FAULTS = new Map<ProviderOutcome, Fault>([
  ['not_now', { effect: 'too_many', match: TRANSFER, seconds: REST_SECONDS }],
  ['lost_answer', { effect: 'cut_after', match: TRANSFER }],
  ['server_error', { effect: 'server_error', match: TRANSFER }],
  ['hang', { effect: 'silence_before', match: TRANSFER }],
  ['garbage', { effect: 'garbage', match: TRANSFER }],
  ['refuse_permanent', turnedAway(TRANSFER, 400, 'amount_too_large')],
  ['refuse_funding', turnedAway(TRANSFER, 400, 'balance_insufficient')],
  ['refuse_account', turnedAway(TRANSFER, 400, 'insufficient_capabilities_for_transfer')],
  ['refuse_credentials', turnedAway(TRANSFER, 401, 'api_key_expired')],
  ['leg_refused', turnedAway(PAYOUT, 400, 'payouts_not_allowed')],
  ['leg_lost_answer', { effect: 'cut_after', match: PAYOUT }],
  ['leg_server_error', { effect: 'server_error', match: PAYOUT }],
  ['open_lost_answer', { effect: 'cut_after', match: OPEN }],
  ['open_refused', turnedAway(OPEN, 400, 'country_unsupported')],
  ['open_not_now', { effect: 'too_many', match: OPEN, seconds: REST_SECONDS }],
  ['unknown_code', turnedAway(TRANSFER, 400, UNKNOWN_WORD)],
  ['unknown_state', { effect: 'reworded', match: { path: PAYOUT.path }, times: 100, words: { status: UNKNOWN_WORD } }],
]);

/** Currencies that a test pays in, with more than it will ever ask for. */
const PLENTY = Object.fromEntries(
  (custodialA.traits.currencies as string[]).map((currency) => [currency.toLowerCase(), 1_000_000_000_000_000]),
);

/** Short of what the suite waits for an answer, and long enough for the first one: Stripe's schema is large, and is read then. */
const TIMEOUT_MS = '5000';

/** One for all worlds of a file. */
const contract = contractWatch();

type Watch = (request: SandboxRequest, answer: SandboxAnswer) => void;

/** All that is said in it is held against Stripe's schema, where that is to be had: a complaint fails the test that it was said in. */
export async function stripeWorld(
  clock: FixedClock,
  see?: Watch,
  whose?: WorldParts['whose'],
): Promise<RailWorld & { stripe: StripeSandbox }> {
  contract?.complaints.splice(0);
  const down = new Set<string>();
  const watch: Watch = (request, answer) => {
    contract?.see(request, answer);
    see?.(request, answer);
    // All calls are made: the next question about it meets a server that is down.
    if (request.method === 'POST' && request.path === PAYOUT.path && answer.status === 200)
      for (const railKey of down)
        if (request.body.includes(railKey) && down.delete(railKey))
          stripe.faults.ask({ effect: 'server_error', match: { method: 'GET', path: '/v1/transfers' } });
  };
  const secretKey = whose === 'another' ? LIVE_KEY : SECRET_KEY;
  const stripe = new StripeSandbox({ secretKey, secrets: SECRETS, clock, balances: { ...PLENTY }, watch });
  if (whose === 'another') stripe.state.accountId = 'acct_of_another_platform';
  stripe.hasAccount({ id: PAYEE });
  const baseUrl = await stripe.start();
  return {
    stripe,
    settings: { ...stripe.settings(), CUSTODIAL_A_BASE_URL: baseUrl, CUSTODIAL_A_TIMEOUT_MS: TIMEOUT_MS },
    arrange: (outcome, order) => {
      if (outcome === 'lookup_down') down.add(order.railKey);
      return arranged(stripe, outcome, order);
    },
    happens: (railKey, event) => happens(stripe, railKey, event),
    movements: (railKey) => movements(stripe, railKey),
    out: (railKey) => out(stripe, railKey),
    accounts: accountsOf(stripe),
    holds: (funds) => holds(stripe, funds),
    notice: ({ railKey }) => told(stripe, railKey),
    close: async () => {
      await stripe.stop();
      expect(contract?.complaints ?? []).toEqual([]);
    },
  };
}

/** Stripe lets unknown fields of an answer pass; here none does. Calls that the published file leaves out are written by hand. */
export function contractWatch(): ContractWatch | null {
  const schema = publishedSchema('stripe');
  const options = {
    unpublished: ['/setup/e/'],
    exactly: ['/v1/account'],
    decode: decodedForm,
    closed: true,
    coerce: true,
  };
  return schema === null ? null : new ContractWatch(schema, options);
}

function arranged(stripe: StripeSandbox, outcome: ProviderOutcome, order: RailOrder): RailOrder {
  const fault = FAULTS.get(outcome);
  // A payment that was arranged before another one may be sent after it.
  const match = fault?.effect === 'reworded' ? {} : { contains: order.railKey };
  if (fault) stripe.faults.ask({ ...fault, match: { ...fault.match, ...match } });
  if (outcome === 'pages') stripe.mostOnAPage = ON_A_PAGE;
  if (outcome === 'wrong_amount') stripe.misbooks(order.railKey, 1);
  if (outcome === 'accept' || outcome === 'refused_later') stripe.destines(order.railKey, null);
  return order;
}

function happens(stripe: StripeSandbox, railKey: string, event: ProviderEvent): void {
  const [payout] = stripe.payoutsOf(railKey);
  if (!payout) throw new Error(`There is no payout ${railKey}.`);
  if (event.kind === 'settles') stripe.books.pays(payout);
  // A payout that fails is told in the same words before it was paid and after.
  if (event.kind === 'bounces' || event.kind === 'refused') stripe.books.fails(payout, 'account_closed');
}

/** What reached a bank. */
function movements(stripe: StripeSandbox, railKey: string): { amountCents: number; currency: string }[] {
  const landed = stripe.payoutsOf(railKey).filter(({ paidAt }) => paidAt !== null);
  return landed.map(({ units, currency }) => ({
    amountCents: cents(units, currency),
    currency: currency.toUpperCase(),
  }));
}

function out(stripe: StripeSandbox, railKey: string): number {
  const all = stripe.transfersOf(railKey);
  return all.reduce((sum, { units, reversedUnits, currency }) => sum + cents(units - reversedUnits, currency), 0);
}

function cents(units: number, currency: string): number {
  const known = currency.toUpperCase();
  return ourAmount(BigInt(units), known, providerDigits(custodialA.traits, known)) ?? 0;
}

function holds(stripe: StripeSandbox, { currency, availableCents, pendingCents }: HeldFunds): void {
  stripe.fund(currency.toLowerCase(), unitsOf(availableCents, currency));
  stripe.expects(currency.toLowerCase(), unitsOf(pendingCents, currency));
}

const unitsOf = (amountCents: number, currency: string): number =>
  Number(providerAmount({ amountCents, currency }, providerDigits(custodialA.traits, currency))?.units);

function accountsOf(stripe: StripeSandbox): AccountsWorld {
  const before = stripe.state.accounts.length;
  return {
    payable: PAYEE,
    foreign: 'acct_foreign',
    details: { brand: 'STRIPE TEST BANK', last4: '3000', currency: 'EUR', name: 'Ada Testperson' },
    becomes: (id, event) => {
      const reason = event.kind === 'rejected' ? event.reason : null;
      stripe.books.becomes(stripe.books.account(id), event.kind, reason);
    },
    arrange: (outcome) => void arranged(stripe, outcome, {} as RailOrder),
    opened: () => stripe.state.accounts.length - before,
    notice: (id) => asRailNotice(stripe.notice({ type: 'account.updated', account: stripe.books.account(id) })),
  };
}

function told(stripe: StripeSandbox, railKey: string): RailNotice {
  const [payout] = stripe.payoutsOf(railKey);
  if (!payout) throw new Error(`There is nothing to tell of ${railKey}.`);
  return asRailNotice(stripe.notice({ type: 'payout.paid', payout }));
}

const asRailNotice = ({ headers, body }: Notice): RailNotice => ({ headers, body: Buffer.from(body) });

function turnedAway(match: Fault['match'], status: number, code: string): Fault {
  const error = { type: 'invalid_request_error', code, message: 'No.' };
  return { effect: 'answer', match, answer: { status, body: { error } } };
}
