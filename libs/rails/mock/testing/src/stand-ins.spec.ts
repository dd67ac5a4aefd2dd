/** A stand-in that broke the kit's contract would prove nothing about the core. */
import { createHmac } from 'node:crypto';
import { type ProviderOutcome, type RailNotice, runRailConformance, type WorldParts } from '#libs/rail-kit/testing';
import { detailsOf } from '../../src/mock.accounts';
import type { Payment } from '../../src/mock.ledger';
import { becomesInLedger, happensInLedger } from './ledger-events';
import { CLAIMED_AT_ONCE, STAND_IN_NOTICE_SECRET } from './stand-in.rail';
import { standInRails } from './stand-ins';

const NO_WIRE = 'nothing lies between this rail and its ledger';
const SAME_STORE = "its provider's ledger is the rail's store: one is restored with the other";
const DIRECTIVES: Partial<Record<ProviderOutcome, string>> = {
  settle: CLAIMED_AT_ONCE,
  accept: 'mock:pending',
  refused_later: 'mock:pending',
  refuse_permanent: 'mock:fail_permanent',
  refuse_transient: 'mock:fail_transient',
  refuse_funding: 'mock:insufficient_funds',
  lost_answer: 'mock:timeout',
};

for (const definition of standInRails.filter(({ settings }) => settings.length === 0))
  runRailConformance({
    definition,
    cannot: {
      server_error: NO_WIRE,
      hang: NO_WIRE,
      garbage: NO_WIRE,
      wrong_amount: NO_WIRE,
      lookup_down: NO_WIRE,
      not_now: NO_WIRE,
      unknown_code: NO_WIRE,
      unknown_state: NO_WIRE,
      pages: NO_WIRE,
      restored: SAME_STORE,
      restored_asked: SAME_STORE,
      live_mode: 'a stand-in moves no real money, whatever its credentials',
      refuse_credentials: 'its provider asks for no credentials',
      refuse_account: 'its provider looks at no account when it pays',
    },
    world: async ({ store, clock, whose }: WorldParts) => ({
      settings: whose === 'another' ? await anotherAccount(store) : {},
      happens: happensInLedger({ store, clock }),
      accounts: {
        ...{ payable: 'acct_1', foreign: 'acct_foreign_1', details: detailsOf('acct_1', null) },
        becomes: becomesInLedger(store),
        notice: (accountId) => signed({ id: `notice of ${accountId}`, railKeys: [], accountIds: [accountId] }),
      },
      arrange: (outcome, order) => ({ ...order, reason: DIRECTIVES[outcome] ?? null }),
      holds: async ({ currency, availableCents }) => {
        await store.claim(`funds:${currency}`, { currency, availableCents });
        await store.update(`funds:${currency}`, () => ({ currency, availableCents }));
      },
      notice: ({ railKey }) => signed({ id: `notice of ${railKey}`, railKeys: [railKey] }),
      movements: async (railKey) => {
        const payment = await store.read<Payment>(`payment:${railKey}`);
        return payment?.settledAt ? [{ amountCents: payment.amountCents, currency: payment.currency }] : [];
      },
    }),
  });

/** It has no settings: whose credentials it has is told in its records. */
async function anotherAccount(store: WorldParts['store']): Promise<Record<string, string>> {
  await store.claim('credentials', { account: 'stand-in of somebody else' });
  return {};
}

function signed(notice: object): RailNotice {
  const body = Buffer.from(JSON.stringify(notice));
  const signature = createHmac('sha256', STAND_IN_NOTICE_SECRET).update(body).digest('hex');
  return { headers: { 'x-stand-in-signature': signature }, body };
}
