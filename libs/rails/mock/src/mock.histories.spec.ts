/** Histories of one payout of the mock rail, whose provider is a ledger in its own store: each kind of payout that an order can ask for. */
import { type HistoryWorld, runRailHistories, type WorldParts } from '#libs/rail-kit/testing';
import { happensInLedger } from '../testing/src/ledger-events';
import { mockRail } from './mock';
import type { Payment } from './mock.ledger';

const KINDS = ['two_legs', 'leg_refused', 'leg_timeout', 'swap', 'swap_refused', 'swap_timeout', 'claim', 'pending'];
const REASONS = [...KINDS, 'fail_once', 'timeout', 'bounce_later', 'insufficient_funds'].map((word) => `mock:${word}`);
const NOTHING_OUT: Payment['state'][] = ['refused', 'bounced'];

async function open({ store, clock }: WorldParts, payout: number): Promise<HistoryWorld> {
  const kept = (railKey: string): Promise<Payment | null> => store.read<Payment>(`payment:${railKey}`);
  const happens = happensInLedger({ store, clock });
  return {
    world: {
      settings: {},
      arrange: (_, order) => order,
      movements: async (railKey) => [(await kept(railKey)) ?? []].flat().filter(({ state }) => state === 'settled'),
      destinations: { good: ['mock_home', 'mock_elsewhere'], bad: 'nowhere', reached: () => [] },
    },
    order: { reason: REASONS[payout % REASONS.length] ?? null },
    out: async (railKey) => {
      const payment = await kept(railKey);
      return payment && !NOTHING_OUT.includes(payment.state) ? payment.amountCents : 0;
    },
    events: (railKey) => ({
      'it settles': () => happens(railKey, { kind: 'settles' }).catch(() => undefined),
      'it bounces': () => happens(railKey, { kind: 'bounces', feeCents: 0 }).catch(() => undefined),
      'it expires': () => happens(railKey, { kind: 'expires' }).catch(() => undefined),
    }),
  };
}

runRailHistories({ definition: mockRail, open }, { runs: 60, endings: ['settled', 'refused', 'returned'] });
