/** Histories of one payout of gift_rail: an order, what Tremendous approves or rejects, and what its payee is led to. */
import { type HistoryWorld, runRailHistories, type WorldParts } from '#libs/rail-kit/testing';
import type { TremendousSandbox } from '../testing/src';
import { giftRail } from './gift-rail';
import { CREATE, tremendousWorld } from './gift-rail.world.fake';
import { Handovers } from './handovers';

async function open(parts: WorldParts, payout: number): Promise<HistoryWorld> {
  const world = await tremendousWorld(parts);
  const { tremendous } = world;
  return {
    world,
    order: { currency: 'USD', amountCents: 2_005 },
    prepares: ({ payee }) => {
      if (payout % 3 === 2) tremendous.reviews(payee.email ?? '');
    },
    door: {
      target: String(tremendous.settings().GIFT_RAIL_BASE_URL),
      refusals: [
        { status: 401, body: { errors: { message: 'Unauthorized', payload: {} } } },
        { status: 402, body: { errors: { message: 'Not enough funds', payload: {} } } },
      ],
      moves: ({ method, path }) => method === 'POST' && path === CREATE.path,
      lists: [{ path: new RegExp(`^${CREATE.path}\\?`), entries: ['orders'], madeAt: 'created_at' }],
    },
    out: (railKey) => {
      const alive = tremendous.ordersOf(railKey).filter(({ status }) => !['FAILED', 'CANCELED'].includes(status));
      return alive.reduce((sum, { reward }) => sum + reward.hundredths, 0);
    },
    events: (railKey) => eventsOf(tremendous, new Handovers(parts.store, parts.clock), railKey),
  };
}

function eventsOf(tremendous: TremendousSandbox, handovers: Handovers, railKey: string): Record<string, () => unknown> {
  const [order] = tremendous.ordersOf(railKey).slice(-1);
  switch (order?.status) {
    case 'PENDING APPROVAL':
      return {
        'it is approved': () => tremendous.books.approve(order),
        'it is rejected': () => tremendous.books.reject(order),
      };
    case 'EXECUTED':
      return {
        'its payee is led there': () => handovers.note(order.id),
        'it is cancelled': () => tremendous.books.cancel(order),
      };
    default:
      return {};
  }
}

runRailHistories({ definition: giftRail, open }, { runs: 25, endings: ['refused', 'submitted'] });
