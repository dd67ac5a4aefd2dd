/** Histories of one payout of custodial_a: a transfer, a payout to the bank, what the bank sends back, and what is pulled back. */
import { type HistoryWorld, runRailHistories, type WorldParts } from '#libs/rail-kit/testing';
import type { StripeSandbox } from '../testing/src';
import { custodialA } from './custodial-a';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';

const PLENTY = 1_000_000_000;

async function open({ clock }: WorldParts, payout: number): Promise<HistoryWorld> {
  const world = await stripeWorld(clock);
  const { stripe } = world;
  return {
    world,
    order: { currency: 'EUR', amountCents: 2_005 },
    prepares: ({ railKey }) => {
      // What else lies in the account of its payee could pay a second payout.
      if (payout % 2 === 1) stripe.books.account(PAYEE).balances.eur = PLENTY;
      if (payout % 3 === 1) stripe.destines(railKey, null);
      if (payout % 3 === 2) stripe.destines(railKey, 'account_closed');
    },
    door: {
      target: String(world.settings.CUSTODIAL_A_BASE_URL),
      refusals: [
        { status: 401, body: { error: { type: 'invalid_request_error', code: 'api_key_expired', message: 'No.' } } },
      ],
      moves: ({ method, path }) => method === 'POST' && /^\/v1\/(transfers|payouts)/.test(path),
      lists: [{ path: /^\/v1\/(transfers|payouts)\?/, entries: ['data'], madeAt: 'created' }],
    },
    // The balance of the platform for a transfer; of its payee's account, whether it may pay out.
    short: (isShort, { path }) => {
      if (path === '/v1/payouts') stripe.books.becomes(stripe.books.account(PAYEE), isShort ? 'pending' : 'verified');
      else stripe.fund('eur', isShort ? 0 : PLENTY);
    },
    reached: (railKey) => {
      const alive = stripe.payoutsOf(railKey).filter(({ status }) => status !== 'failed');
      return alive.reduce((sum, { units }) => sum + units, 0);
    },
    heals: (railKey) => delete stripe.state.fates[railKey],
    events: (railKey) => eventsOf(stripe, railKey),
  };
}

function eventsOf(stripe: StripeSandbox, railKey: string): Record<string, () => unknown> {
  const [payout] = stripe.payoutsOf(railKey).slice(-1);
  const goesThrough = { 'banks take it': () => delete stripe.state.fates[railKey] };
  if (!payout || payout.status === 'failed') return goesThrough;
  const fails = { 'the bank sends it back': () => stripe.books.fails(payout, 'account_closed') };
  return payout.status === 'pending' ? { ...fails, 'the bank has it': () => stripe.books.pays(payout) } : fails;
}

runRailHistories({ definition: custodialA, open }, { runs: 30, endings: ['settled', 'refused', 'returned'] });
