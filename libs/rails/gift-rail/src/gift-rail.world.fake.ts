/** The simulated Tremendous as the conformance suite asks for it. */
import { ourAmount, type RailOrder } from '#libs/rail-kit';
import {
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
import { type TremendousOrder, TremendousSandbox } from '../testing/src';
import { Handovers } from './handovers';

export const CANNOT: RailSubject['cannot'] = {
  refuse_account: 'Tremendous sends rewards to an address: there are no accounts of payees',
  refuse_transient: 'what Tremendous does not do for now it puts off with a 429, or leaves in doubt',
  bounce_keeps: 'Tremendous names no fee for what comes back, only how much came back to the balance',
  live_mode: 'whether money is real is told by the address of its API alone',
};

export const CANNOT_VERIFY: RailSubject['cannotVerify'] = {
  GIFT_RAIL_WEBHOOK_KEY: 'only what Tremendous tells by itself is signed with it',
};

export const API_KEY = 'key-of-the-simulated-organisation';
const WEBHOOK_KEY = 'key-of-the-simulated-webhook';
export const CREATE = { method: 'POST', path: '/api/v2/orders' };
export const LIST = { method: 'GET', path: '/api/v2/orders' };

const FAULTS = new Map<ProviderOutcome, Fault>([
  ['not_now', { effect: 'too_many', match: CREATE, seconds: REST_SECONDS }],
  ['lost_answer', { effect: 'cut_after', match: CREATE }],
  ['server_error', { effect: 'server_error', match: CREATE }],
  ['hang', { effect: 'silence_before', match: CREATE }],
  ['garbage', { effect: 'garbage', match: CREATE }],
  ['lookup_down', { effect: 'server_error', match: LIST }],
  ['refuse_credentials', turnedAway(401, 'Unauthorized')],
  // Its refusals are told apart by their status; the words are for people.
  ['unknown_code', turnedAway(418, UNKNOWN_WORD)],
  ['unknown_state', { effect: 'reworded', match: { path: CREATE.path }, times: 100, words: { status: UNKNOWN_WORD } }],
]);

/** More than a test will ever ask for. */
const PLENTY = 1_000_000_000_000_000;

type Watch = (request: SandboxRequest, answer: SandboxAnswer) => void;
type World = RailWorld & { tremendous: TremendousSandbox };

/** All that is said in it is held against Tremendous's schema, where that is to be had. */
export async function tremendousWorld({ clock, store }: WorldParts, see?: Watch): Promise<World> {
  const contract = contractWatch();
  const handovers = new Handovers(store, clock);
  /** Those whose payee goes there as soon as there is something to take. */
  const eager = new Set<string>();
  const watch: Watch = (request, answer) => {
    contract?.see(request, answer);
    const { order } = (answer.body ?? {}) as { order?: { id: string; external_id: string } };
    if (order && eager.has(order.external_id)) void handovers.note(order.id);
    see?.(request, answer);
  };
  const keys = { apiKey: API_KEY, webhookKey: WEBHOOK_KEY };
  const tremendous = new TremendousSandbox({ ...keys, clock, hundredths: PLENTY, watch });
  await tremendous.start();
  return {
    tremendous,
    settings: { ...tremendous.settings(), GIFT_RAIL_TIMEOUT_MS: '5000' },
    arrange: (outcome, order) => {
      if (outcome !== 'accept' && outcome !== 'refused_later') eager.add(order.railKey);
      return arranged(tremendous, outcome, order);
    },
    happens: (railKey, event) => happens(tremendous, handovers, railKey, event),
    movements: (railKey) => movements(tremendous, railKey),
    holds: (funds) => holds(tremendous, funds),
    notice: ({ railKey }) => told(tremendous, railKey),
    close: async () => {
      await tremendous.stop();
      expect(contract?.complaints ?? []).toEqual([]);
    },
  };
}

/** Tremendous lets unknown fields pass; here none does. */
export function contractWatch(): ContractWatch | null {
  return contractOf('tremendous', { below: '/api/v2', unpublished: ['/rewards/payout/'], closed: true });
}

function arranged(tremendous: TremendousSandbox, outcome: ProviderOutcome, order: RailOrder): RailOrder {
  const fault = FAULTS.get(outcome);
  if (fault) tremendous.faults.ask(fault);
  if (outcome === 'refuse_funding') tremendous.fund(0);
  if (outcome === 'refused_later') tremendous.reviews(order.payee.email ?? '');
  if (outcome === 'wrong_amount') tremendous.misbooks(order.railKey, 1);
  return outcome === 'refuse_permanent' ? { ...order, payee: { ...order.payee, email: 'nowhere' } } : order;
}

async function happens(
  tremendous: TremendousSandbox,
  handovers: Handovers,
  railKey: string,
  event: ProviderEvent,
): Promise<void> {
  const order = orderOf(tremendous, railKey);
  if (event.kind === 'settles') return handovers.note(order.id);
  if (event.kind === 'refused') {
    // Approved once the balance holds nothing.
    tremendous.fund(0);
    tremendous.books.approve(order);
  } else tremendous.books.cancel(order);
}

/** What a payee holds, or took. */
function movements(tremendous: TremendousSandbox, railKey: string): { amountCents: number; currency: string }[] {
  const executed = tremendous.ordersOf(railKey).filter(({ status }) => status === 'EXECUTED');
  return executed.map(({ reward: { hundredths, currency } }) => ({
    amountCents: ourAmount(BigInt(hundredths), currency, 2) ?? 0,
    currency,
  }));
}

/** An organisation has one balance, in one currency. */
function holds(tremendous: TremendousSandbox, { currency, availableCents, pendingCents }: HeldFunds): boolean {
  if (currency !== tremendous.state.currency) return false;
  tremendous.fund(availableCents, pendingCents);
  return true;
}

function told(tremendous: TremendousSandbox, railKey: string): RailNotice {
  const { headers, body } = tremendous.notice({ event: 'ORDERS.APPROVED', order: orderOf(tremendous, railKey) });
  return { headers, body: Buffer.from(body) };
}

function orderOf(tremendous: TremendousSandbox, railKey: string): TremendousOrder {
  const order = tremendous.ordersOf(railKey).at(-1);
  if (!order) throw new Error(`There is no order ${railKey}.`);
  return order;
}

export function turnedAway(status: number, message: string, payload: object = {}): Fault {
  return { effect: 'answer', match: CREATE, answer: { status, body: { errors: { message, payload } } } };
}
