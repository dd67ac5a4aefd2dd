/** The simulated PayPal as the conformance suite asks for it. */
import { ourAmount, providerAmount, providerDigits, type RailOrder } from '#libs/rail-kit';
import {
  type FixedClock,
  type HeldFunds,
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
  contractOf,
  type ContractWatch,
  type Fault,
  type SandboxAnswer,
  type SandboxRequest,
} from '#libs/provider-sandbox';
import { PaypalSandbox } from '../testing/src';
import { claimRail } from './claim-rail';

export const CANNOT: RailSubject['cannot'] = {
  refuse_account: 'PayPal pays to an address: there are no accounts of payees',
  refuse_transient: 'what PayPal does not do for now it puts off with a 429, or leaves in doubt',
  bounce_keeps: 'PayPal sends all of it back, and names no fee for that',
  restored_asked:
    'PayPal finds a batch by its own id alone: asked without that, the rail sends nothing, and says never_seen (ADR 82, 87)',
  live_mode: 'whether money is real is told by the address of its API alone',
};

export const SECRET = 'secret-of-the-simulated-app';
const CREATE = { method: 'POST', path: '/v1/payments/payouts' };
const READ = { method: 'GET', path: '/v1/payments/payouts/' };

const FAULTS = new Map<ProviderOutcome, Fault>([
  ['not_now', { effect: 'too_many', match: CREATE, seconds: REST_SECONDS }],
  ['lost_answer', { effect: 'cut_after', match: CREATE }],
  ['server_error', { effect: 'server_error', match: CREATE }],
  ['hang', { effect: 'silence_before', match: CREATE }],
  ['garbage', { effect: 'garbage', match: CREATE }],
  ['lookup_down', { effect: 'server_error', match: READ }],
  ['refuse_credentials', turnedAway(403, 'NOT_AUTHORIZED')],
  ['refuse_funding', turnedAway(422, 'INSUFFICIENT_FUNDS')],
  ['unknown_code', turnedAway(422, UNKNOWN_WORD)],
  ['unknown_state', { effect: 'reworded', match: READ, times: 100, words: { transaction_status: UNKNOWN_WORD } }],
]);

/** Currencies that a test pays in, with more than it will ever ask for. */
const PLENTY = Object.fromEntries(
  'AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PHP PLN SEK SGD THB TWD USD'
    .split(' ')
    .map((currency) => [currency, 1_000_000_000_000_000]),
);

type Watch = (request: SandboxRequest, answer: SandboxAnswer) => void;

/** All that is said in it is held against PayPal's schema, where that is to be had: a complaint fails the test that it was said in. */
export async function paypalWorld(
  clock: FixedClock,
  see?: Watch,
  whose?: WorldParts['whose'],
): Promise<RailWorld & { paypal: PaypalSandbox }> {
  const app = { clientId: 'simulated-app', clientSecret: SECRET, webhookId: 'WH-ID' };
  const contract = contractWatch();
  const watch: Watch = (request, answer) => {
    contract?.see(request, answer);
    see?.(request, answer);
  };
  const paypal = new PaypalSandbox({ ...app, clock, balances: { ...PLENTY }, watch });
  if (whose === 'another') paypal.state.accountId = 'ANTHERACCT234';
  const baseUrl = await paypal.start();
  return {
    paypal,
    settings: {
      CLAIM_RAIL_CLIENT_ID: app.clientId,
      CLAIM_RAIL_CLIENT_SECRET: SECRET,
      CLAIM_RAIL_WEBHOOK_ID: app.webhookId,
      CLAIM_RAIL_BASE_URL: baseUrl,
      CLAIM_RAIL_TIMEOUT_MS: '5000',
    },
    arrange: (outcome, order) => arranged(paypal, outcome, order),
    happens: (railKey, event) => happens(paypal, railKey, event, clock.now()),
    movements: (railKey) => movements(paypal, railKey),
    holds: (funds) => holds(paypal, funds),
    notice: ({ railKey }) => told(paypal, railKey),
    close: async () => {
      await paypal.stop();
      expect(contract?.complaints ?? []).toEqual([]);
    },
  };
}

/** PayPal lets unknown fields pass; here none does. Calls that the published file leaves out are written by hand. */
export function contractWatch(): ContractWatch | null {
  const unpublished = ['/v1/oauth2/token', '/v1/notifications/certs/', '/claim/'];
  return contractOf('paypal', { unpublished, closed: true });
}

function arranged(paypal: PaypalSandbox, outcome: ProviderOutcome, order: RailOrder): RailOrder {
  const fault = FAULTS.get(outcome);
  if (fault) paypal.faults.ask(fault);
  if (outcome === 'wrong_amount') paypal.misbooks(order.railKey, 1);
  if (outcome !== 'accept' && outcome !== 'refused_later') paypal.register(order.payee.email ?? '');
  return outcome === 'refuse_permanent' ? { ...order, payee: { ...order.payee, email: 'nowhere' } } : order;
}

function happens(paypal: PaypalSandbox, railKey: string, event: ProviderEvent, now: Date): void {
  const [payment] = paypal.sentAs(railKey);
  if (!payment) throw new Error(`There is no payment ${railKey}.`);
  if (event.kind === 'settles') paypal.books.claim(payment, now);
  if (event.kind === 'refused') {
    paypal.books.hold(payment, now);
    paypal.books.block(payment, now);
  }
  if (event.kind === 'expires') paypal.books.cancel(payment, now);
  if (event.kind === 'bounces') paypal.books.comesBack(payment, 'REFUNDED', now);
}

/** What reached somebody's PayPal account. */
function movements(paypal: PaypalSandbox, railKey: string): { amountCents: number; currency: string }[] {
  const landed = paypal.sentAs(railKey).filter(({ status }) => ['SUCCESS', 'REFUNDED', 'REVERSED'].includes(status));
  return landed.map(({ units, currency }) => {
    const digits = providerDigits(claimRail.traits, currency);
    return { amountCents: ourAmount(BigInt(units), currency, digits) ?? 0, currency };
  });
}

function holds(paypal: PaypalSandbox, { currency, availableCents, pendingCents }: HeldFunds): void {
  const digits = providerDigits(claimRail.traits, currency);
  const unitsOf = (amountCents: number): number => Number(providerAmount({ amountCents, currency }, digits)?.units);
  paypal.fund(currency, unitsOf(availableCents), unitsOf(pendingCents));
}

function told(paypal: PaypalSandbox, railKey: string): RailNotice {
  const [notice] = paypal.noticesOf(railKey);
  if (!notice) throw new Error(`There is nothing to tell of ${railKey}.`);
  return { headers: notice.headers, body: Buffer.from(notice.body) };
}

function turnedAway(status: number, name: string): Fault {
  return { effect: 'answer', match: CREATE, answer: { status, body: { name, message: 'no.', debug_id: 'd3bu9' } } };
}
