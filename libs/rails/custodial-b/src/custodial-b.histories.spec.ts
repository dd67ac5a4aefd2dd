/** Histories of one payout of custodial_b: money to the payee's account, on to the bank, what the bank returns, and what is pulled back. */
import { type HistoryWorld, runRailHistories, type WorldParts } from '#libs/rail-kit/testing';
import type { AdyenSandbox } from '../testing/src';
import { custodialB } from './custodial-b';
import { adyenWorld, FUND, PAYEE } from './custodial-b.world.fake';

const PLENTY = 1_000_000_000;

async function open({ clock }: WorldParts, payout: number): Promise<HistoryWorld> {
  const world = await adyenWorld(clock);
  const { adyen } = world;
  return {
    world,
    order: { currency: 'EUR', amountCents: 2_005 },
    prepares: ({ railKey }) => {
      const account = adyen.state.accounts.find(({ holderId }) => holderId === PAYEE);
      // What else lies in the account of its payee could pay a second transfer.
      if (account && payout % 2 === 1) account.balances.EUR = PLENTY;
      if (payout % 3 === 1) adyen.destines(railKey, { until: 'authorised', fails: null });
      if (payout % 3 === 2) adyen.destines(railKey, { until: 'authorised', fails: 'counterpartyAccountClosed' });
    },
    door: {
      target: String(world.settings.CUSTODIAL_B_BASE_URL),
      refusals: [
        { status: 401, body: { type: 'about:blank', title: 'No', detail: 'No.', status: 401, errorCode: '000' } },
      ],
      moves: ({ method, path }) => method === 'POST' && path === FUND.path,
      lists: [{ path: new RegExp(`^${FUND.path}\\?`), entries: ['data'], madeAt: 'createdAt' }],
    },
    // The balance of the platform for the first call; of its payee's account, whether it may pay.
    short: (isShort, { body }) => {
      if (body.includes('"category":"bank"'))
        adyen.becomes(adyen.books.holder(PAYEE), isShort ? 'pending' : 'verified');
      else adyen.fund('EUR', isShort ? 0 : PLENTY);
    },
    reached: (railKey) => {
      const alive = adyen.banksOf(railKey).filter(({ status }) => !['refused', 'failed', 'returned'].includes(status));
      return alive.reduce((sum, { units }) => sum + units, 0);
    },
    heals: (railKey) => adyen.destines(railKey, null),
    events: (railKey) => eventsOf(adyen, railKey),
  };
}

function eventsOf(adyen: AdyenSandbox, railKey: string): Record<string, () => unknown> {
  const [bank] = adyen.banksOf(railKey).slice(-1);
  const goesThrough = { 'banks take it': () => adyen.destines(railKey, null) };
  if (bank?.status === 'authorised')
    return {
      'the bank has it': () => adyen.books.credits(bank),
      'the bank does not take it': () => adyen.books.fails(bank, 'counterpartyAccountClosed'),
      ...goesThrough,
    };
  if (bank?.status !== 'booked') return goesThrough;
  return {
    'the bank sends it back': () => adyen.books.returns(bank, 'counterpartyAccountClosed'),
    'it fails after all': () => adyen.books.fails(bank, 'counterpartyAccountClosed'),
  };
}

runRailHistories({ definition: custodialB, open }, { runs: 30, endings: ['settled', 'refused', 'returned'] });
