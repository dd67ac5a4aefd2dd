/** The simulated Adyen as the conformance suite asks for it. */
import { ourAmount, providerAmount, type RailOrder } from '#libs/rail-kit';
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
  contractOf,
  type ContractWatch,
  type Fault,
  type SandboxAnswer,
  type SandboxRequest,
} from '#libs/provider-sandbox';
import { AdyenSandbox } from '../testing/src';
import { custodialB } from './custodial-b';

export const CANNOT: RailSubject['cannot'] = {
  refuse_transient: 'what Adyen does not do for now it puts off with a 429, or says afterwards of the transfer',
  bounce_keeps: 'Adyen names no fee for what comes back: less comes back, and only in whole units',
  account_notice: 'whether somebody can be paid is found by asking, and what Adyen calls about them is not heard',
  live_mode: 'whether money is real is told by the host of its API alone',
};

export const CANNOT_VERIFY: RailSubject['cannotVerify'] = {
  CUSTODIAL_B_HMAC_KEY: 'only what Adyen tells by itself is signed with it',
};

export const API_KEY = 'key_of_the_balance_platform';
export const ENTITIES_KEY = 'key_of_legal_entities';
export const PAYEE = 'AH_PAYEE';
const HMAC_KEY = '1F2E3D4C'.repeat(8);

const TRANSFERS = { method: 'POST', path: '/btl/v4/transfers' };
export const FUND = { ...TRANSFERS, contains: '"category":"internal"' };
export const BANK = { ...TRANSFERS, contains: '"category":"bank"' };
const OPEN = { method: 'POST', path: '/bcl/v2/accountHolders' };

const FAULTS = new Map<ProviderOutcome, Fault>([
  ['not_now', { effect: 'too_many', match: FUND, seconds: REST_SECONDS }],
  ['lost_answer', { effect: 'cut_after', match: FUND }],
  ['server_error', { effect: 'server_error', match: FUND }],
  ['hang', { effect: 'silence_before', match: FUND }],
  ['garbage', { effect: 'garbage', match: FUND }],
  ['refuse_permanent', turnedAway(FUND, 422, '29_000')],
  ['refuse_account', turnedAway(FUND, 422, '30_005')],
  ['refuse_credentials', turnedAway(FUND, 401, '000')],
  ['leg_refused', turnedAway(BANK, 422, '30_112')],
  ['leg_lost_answer', { effect: 'cut_after', match: BANK }],
  ['leg_server_error', { effect: 'server_error', match: BANK }],
  ['open_lost_answer', { effect: 'cut_after', match: OPEN }],
  ['open_refused', turnedAway(OPEN, 422, '30_011')],
  ['open_not_now', { effect: 'too_many', match: OPEN, seconds: REST_SECONDS }],
  // A 422 is a definite no of Adyen's, whatever its code; of a 409 its documentation says nothing.
  ['unknown_code', turnedAway(FUND, 409, UNKNOWN_WORD)],
  ['unknown_state', { effect: 'reworded', match: { path: BANK.path }, times: 100, words: { status: UNKNOWN_WORD } }],
]);

/** Currencies that a test pays in, with more than it will ever ask for. */
const PLENTY = Object.fromEntries(
  (custodialB.traits.currencies as string[]).map((currency) => [currency, 1_000_000_000_000_000]),
);

/** Short of what the suite waits for an answer, and long enough for the first one: Adyen's schema is large, and is read then. */
const TIMEOUT_MS = '5000';

/** One for all worlds of a file. */
const contract = contractWatch();

type Watch = (request: SandboxRequest, answer: SandboxAnswer) => void;

/** All that is said in it is held against Adyen's schema, where that is to be had: a complaint fails the test that it was said in. */
export async function adyenWorld(
  clock: FixedClock,
  see?: Watch,
  whose?: WorldParts['whose'],
): Promise<RailWorld & { adyen: AdyenSandbox }> {
  contract?.complaints.splice(0);
  const down = new Set<string>();
  const watch: Watch = (request, answer) => {
    contract?.see(request, answer);
    see?.(request, answer);
    // All calls are made: the next question about it meets a server that is down.
    if (request.body.includes(BANK.contains) && answer.status === 200)
      for (const railKey of down)
        if (request.body.includes(railKey) && down.delete(railKey))
          adyen.faults.ask({ effect: 'server_error', match: { method: 'GET', path: TRANSFERS.path } });
  };
  const keys = { apiKey: API_KEY, entitiesKey: ENTITIES_KEY, hmacKey: HMAC_KEY };
  const adyen = new AdyenSandbox({ ...keys, clock, balances: { ...PLENTY }, watch });
  if (whose === 'another') adyen.state.balancePlatform = 'AnotherPlatform';
  adyen.hasHolder({ id: PAYEE });
  await adyen.start();
  return {
    adyen,
    settings: { ...adyen.settings(), CUSTODIAL_B_TIMEOUT_MS: TIMEOUT_MS },
    arrange: (outcome, order) => {
      if (outcome === 'lookup_down') down.add(order.railKey);
      return arranged(adyen, outcome, order);
    },
    happens: (railKey, event) => happens(adyen, railKey, event),
    movements: (railKey) => movements(adyen, railKey),
    out: (railKey) => out(adyen, railKey),
    accounts: accountsOf(adyen),
    holds: ({ currency, availableCents, pendingCents }: HeldFunds) =>
      adyen.fund(currency, unitsOf(availableCents, currency), unitsOf(pendingCents, currency)),
    notice: ({ railKey }) => told(adyen, railKey),
    close: async () => {
      await adyen.stop();
      expect(contract?.complaints ?? []).toEqual([]);
    },
  };
}

/** Adyen's schema takes no other fields than it names. */
export function contractWatch(): ContractWatch | null {
  return contractOf('adyen', { unpublished: ['/onboarding/'], closed: true });
}

function arranged(adyen: AdyenSandbox, outcome: ProviderOutcome, order: RailOrder): RailOrder {
  const fault = FAULTS.get(outcome);
  if (fault) adyen.faults.ask(ofOrder(fault, order));
  if (outcome === 'pages') adyen.mostOnAPage = ON_A_PAGE;
  if (outcome === 'refuse_funding') adyen.fund(order.currency, order.amountCents - 1);
  if (outcome === 'wrong_amount') adyen.misbooks(order.railKey, 1);
  if (outcome === 'accept' || outcome === 'refused_later')
    adyen.destines(order.railKey, { until: 'authorised', fails: null });
  return order;
}

function happens(adyen: AdyenSandbox, railKey: string, event: ProviderEvent): void {
  const [bank] = adyen.banksOf(railKey);
  if (!bank) throw new Error(`There is no transfer ${railKey}.`);
  if (event.kind === 'settles') adyen.books.credits(bank);
  if (event.kind === 'refused') adyen.books.fails(bank, 'counterpartyAccountClosed');
  if (event.kind === 'bounces') adyen.books.returns(bank, 'counterpartyAccountClosed');
}

/** What reached a bank. */
function movements(adyen: AdyenSandbox, railKey: string): { amountCents: number; currency: string }[] {
  const landed = adyen.banksOf(railKey).filter(({ events }) => events.some(({ status }) => status === 'booked'));
  return landed.map(({ units, currency }) => ({ amountCents: cents(units, currency), currency }));
}

function out(adyen: AdyenSandbox, railKey: string): number {
  const platform = adyen.state.platformAccount;
  return adyen.transfersOf(railKey).reduce((sum, { category, account, status, units, currency }) => {
    if (category !== 'internal' || status === 'refused') return sum;
    return account === platform ? sum + cents(units, currency) : sum - cents(units, currency);
  }, 0);
}

const unitsOf = (amountCents: number, currency: string): number =>
  Number(providerAmount({ amountCents, currency })?.units);

const cents = (units: number, currency: string): number => ourAmount(BigInt(units), currency) ?? 0;

function accountsOf(adyen: AdyenSandbox): AccountsWorld {
  const before = adyen.state.holders.length;
  return {
    payable: PAYEE,
    foreign: 'AH_FOREIGN',
    details: { brand: 'ADYEN TEST BANK', last4: '3000', currency: null, name: 'Ada Testperson' },
    becomes: (id, event) =>
      adyen.becomes(adyen.books.holder(id), event.kind, event.kind === 'rejected' ? event.reason : null),
    arrange: (outcome) => void arranged(adyen, outcome, {} as RailOrder),
    opened: () => adyen.state.holders.length - before,
  };
}

/** Its notice is held against the schema as well. */
function told(adyen: AdyenSandbox, railKey: string): RailNotice {
  const [bank] = adyen.banksOf(railKey);
  if (!bank) throw new Error(`There is nothing to tell of ${railKey}.`);
  const { headers, body } = adyen.notice(bank);
  contract?.seeNotice('balancePlatform.transfer.updated', JSON.parse(body));
  return { headers, body: Buffer.from(body) };
}

/** The call of this order alone, if it is one of an order's. */
function ofOrder({ match = {}, ...fault }: Fault, { railKey }: RailOrder): Fault {
  const { contains } = match;
  return {
    ...fault,
    match: contains === undefined ? match : { ...match, contains: `${contains},"reference":"${railKey}"` },
  };
}

function turnedAway(match: Fault['match'], status: number, errorCode: string): Fault {
  const body = { type: 'https://docs.adyen.com/errors/general', title: 'No', detail: 'No.', status, errorCode };
  return { effect: 'answer', match, answer: { status, body } };
}
