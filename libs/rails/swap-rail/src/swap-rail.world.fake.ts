/** The simulated Circle as the conformance suite asks for it. */
import type { RailOrder } from '#libs/rail-kit';
import {
  type FixedClock,
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
import { CircleSandbox, type CircleTransaction } from '../testing/src';

const ONE_MORE_CALL = 'after the first call there is one more, and its payee begins it';

export const CANNOT: RailSubject['cannot'] = {
  refuse_account: 'payees have no accounts: a wallet of theirs is made for the first payout',
  in_legs: ONE_MORE_CALL,
  leg_refused: ONE_MORE_CALL,
  leg_lost_answer: ONE_MORE_CALL,
  leg_server_error: ONE_MORE_CALL,
  bounce_keeps: 'what reached an address on a blockchain does not come back',
};

export const CANNOT_VERIFY: RailSubject['cannotVerify'] = {
  SWAP_RAIL_ENTITY_SECRET: 'Circle takes it only with a call that moves or makes something',
};

export const API_KEY = 'TEST_API_KEY:of-the-simulated:entity';
const LIVE_KEY = 'LIVE_API_KEY:of-another:entity';
export const ENTITY_SECRET = 'ab'.repeat(32);
export const ADDRESSES = [`0x${'Ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`] as const;

export const TRANSFER = { method: 'POST', path: '/v1/w3s/developer/transactions/transfer' };
export const LISTS = { method: 'GET', path: '/v1/w3s/transactions' };
const READS = { method: 'GET', path: '/v1/w3s/transactions/' };
export const DRAIN = { ...TRANSFER, contains: '"drain/' };

const FAULTS = new Map<ProviderOutcome, Fault>([
  ['not_now', { effect: 'too_many', match: TRANSFER, seconds: REST_SECONDS }],
  ['lost_answer', { effect: 'cut_after', match: TRANSFER }],
  ['server_error', { effect: 'server_error', match: TRANSFER }],
  ['hang', { effect: 'silence_before', match: TRANSFER }],
  ['garbage', { effect: 'garbage', match: TRANSFER }],
  ['refuse_funding', turnedAway(TRANSFER, 400, 155258)],
  ['refuse_credentials', turnedAway(TRANSFER, 401, 401)],
  // Its codes are numbers.
  ['unknown_code', turnedAway(TRANSFER, 400, 999_999)],
  ['unknown_state', { effect: 'reworded', match: LISTS, times: 100, words: { state: UNKNOWN_WORD } }],
  ['begun_refused', turnedAway(DRAIN, 400, 155219)],
  ['begun_lost_answer', { effect: 'cut_after', match: DRAIN }],
]);

/** Their payees are waited for. Of the others somebody sends it on at Circle, as soon as it is in the wallet. */
const WAIT_FOR_THEIR_PAYEE: readonly ProviderOutcome[] = [
  'accept',
  'refused_later',
  'payee_begins',
  'begun_refused',
  'begun_lost_answer',
  'begun_read_later',
];
const A_CENT = 10_000;
/** More than a test will ever ask for. */
const PLENTY_CENTS = 500_000_000_000;
/** Short of what the suite waits for an answer. */
const TIMEOUT_MS = '3000';

/** One for all worlds of a file. */
const contract = contractWatch();

export type Watch = (request: SandboxRequest, answer: SandboxAnswer) => void;

/** All that is said in it is held against Circle's schema, where that is to be had: a complaint fails the test that it was said in. */
export async function circleWorld(
  clock: FixedClock,
  see?: Watch,
  whose?: WorldParts['whose'],
): Promise<RailWorld & { circle: CircleSandbox }> {
  contract?.complaints.splice(0);
  const [sentOn, down, rests] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const watch: Watch = (request, answer) => {
    contract?.see(request, answer);
    see?.(request, answer);
    if (request.path === TRANSFER.path && answer.status === 201)
      for (const leg of legsIn(request, circle)) if (leg.state === 'COMPLETE') circle.sendsOn(leg, ADDRESSES[1]);
    const [taken] = answer.status === 201 ? [...rests].filter((key) => request.body.includes(`"drain/${key}/`)) : [];
    if (taken !== undefined && rests.delete(taken))
      circle.faults.ask({ effect: 'too_many', match: READS, seconds: REST_SECONDS });
    // All calls are made, and what came of them was read: the next question meets a server that is down.
    const [railKey] = [...down].filter((key) => isAboutWalletOf(request, circle, key));
    if (railKey !== undefined && down.delete(railKey)) circle.faults.ask({ effect: 'server_error', match: LISTS });
  };
  const legsIn = ({ body }: SandboxRequest, at: CircleSandbox): CircleTransaction[] =>
    [...sentOn]
      .filter((key) => body.includes(`"pay/${key}/`))
      .flatMap((key) => at.transactionsOf(key, 'pay').slice(-1));
  const apiKey = whose === 'another' ? LIVE_KEY : API_KEY;
  const circle = new CircleSandbox({
    ...{ apiKey, entitySecret: ENTITY_SECRET, clock, treasuryCents: PLENTY_CENTS, watch },
  });
  const baseUrl = await circle.start();
  return {
    circle,
    settings: { ...circle.settings(), SWAP_RAIL_BASE_URL: baseUrl, SWAP_RAIL_TIMEOUT_MS: TIMEOUT_MS },
    arrange: (outcome, order) => {
      if (!WAIT_FOR_THEIR_PAYEE.includes(outcome)) sentOn.add(order.railKey);
      if (outcome === 'lookup_down') down.add(order.railKey);
      if (outcome === 'begun_read_later') rests.add(order.railKey);
      return arranged(circle, outcome, order);
    },
    happens: (railKey, event) => happens(circle, railKey, event),
    movements: (railKey) => moved(circle, railKey),
    out: (railKey) => centsIn(alive(circle, railKey, 'pay')) - centsIn(alive(circle, railKey, 'back')),
    destinations: {
      ...{ good: ADDRESSES, bad: 'nowhere' },
      reached: (railKey) => arrived(circle, railKey).map(({ to }) => to),
    },
    holds: ({ currency, availableCents }) => {
      circle.fund(availableCents);
      return currency === 'USD';
    },
    notice: ({ railKey }) => told(circle, railKey),
    close: async () => {
      await circle.stop();
      expect(contract?.complaints ?? []).toEqual([]);
    },
  };
}

/** Circle lets unknown fields pass; here none does. */
export function contractWatch(): ContractWatch | null {
  return contractOf('circle', { unpublished: [], closed: true });
}

function arranged(circle: CircleSandbox, outcome: ProviderOutcome, order: RailOrder): RailOrder {
  const { railKey } = order;
  const fault = FAULTS.get(outcome);
  if (fault) circle.faults.ask(fault);
  if (outcome === 'wrong_amount') circle.misbooks(railKey, A_CENT);
  if (outcome === 'refused_later') circle.destines(railKey, { ends: null, error: null });
  if (outcome === 'refuse_permanent') circle.destines(railKey, { ends: 'DENIED', error: null });
  if (outcome === 'refuse_transient') circle.destines(railKey, { ends: 'FAILED', error: 'TRANSACTION_UNDER_PRICE' });
  return order;
}

function happens(circle: CircleSandbox, railKey: string, event: ProviderEvent): void {
  const [leg] = circle.transactionsOf(railKey, 'pay');
  if (!leg) throw new Error(`There is no payment ${railKey}.`);
  if (event.kind === 'settles') circle.sendsOn(leg, ADDRESSES[0].toLowerCase());
  if (event.kind === 'refused') circle.books.ends(leg, 'DENIED');
  if (event.kind === 'expires') circle.takesBack(leg);
}

const alive = (circle: CircleSandbox, railKey: string, kind: 'pay' | 'back'): CircleTransaction[] =>
  circle.transactionsOf(railKey, kind).filter(({ state }) => !['FAILED', 'DENIED', 'CANCELLED'].includes(state));

const arrived = (circle: CircleSandbox, railKey: string): CircleTransaction[] =>
  circle.transactionsOf(railKey, 'drain').filter(({ state }) => state === 'COMPLETE');

const moved = (circle: CircleSandbox, railKey: string): { amountCents: number; currency: string }[] =>
  arrived(circle, railKey).map((each) => ({ amountCents: centsIn([each]), currency: 'USD' }));

const centsIn = (all: CircleTransaction[]): number => all.reduce((sum, { units }) => sum + units / A_CENT, 0);

/** What it asks once the money is in the wallet. */
function isAboutWalletOf({ method, path, query }: SandboxRequest, circle: CircleSandbox, railKey: string): boolean {
  const [leg] = circle.transactionsOf(railKey, 'pay');
  const wallet = circle.state.wallets.find(({ address }) => address === leg?.to);
  return method === LISTS.method && path === LISTS.path && wallet !== undefined && query.get('walletIds') === wallet.id;
}

function told(circle: CircleSandbox, railKey: string): RailNotice {
  const [leg] = circle.transactionsOf(railKey, 'pay');
  if (!leg) throw new Error(`There is nothing to tell of ${railKey}.`);
  const { headers, body } = circle.notice(leg);
  return { headers, body: Buffer.from(body) };
}

export function turnedAway(match: Fault['match'], status: number, code: number): Fault {
  return { effect: 'answer', match, answer: { status, body: { code, message: 'No.' } } };
}
