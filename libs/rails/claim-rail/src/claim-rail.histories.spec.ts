/** Histories of one payout of claim_rail: a batch of one, what PayPal denies, and what its payee claims, leaves or sends back. */
import { type HistoryWorld, runRailHistories, type WorldParts } from '#libs/rail-kit/testing';
import type { PaypalSandbox } from '../testing/src';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const OUT = ['PENDING', 'SUCCESS', 'UNCLAIMED', 'ONHOLD'];

async function open({ clock }: WorldParts, payout: number): Promise<HistoryWorld> {
  const world = await paypalWorld(clock);
  const { paypal } = world;
  return {
    world,
    order: { currency: 'USD', amountCents: 2_005 },
    prepares: ({ payee }) => {
      if (payout % 2 === 0) paypal.register(payee.email ?? '');
    },
    door: {
      target: String(world.settings.CLAIM_RAIL_BASE_URL),
      refusals: ['INSUFFICIENT_FUNDS', 'NOT_AUTHORIZED'].map((name) => ({
        status: name === 'NOT_AUTHORIZED' ? 403 : 422,
        body: { name, message: 'no.', debug_id: 'd3bu9' },
      })),
      moves: ({ method, path }) => method === 'POST' && path === '/v1/payments/payouts',
      passes: ({ path }) => path === '/v1/oauth2/token',
    },
    out: (railKey) => sumOf(paypal.sentAs(railKey).filter(({ status }) => OUT.includes(status))),
    events: (railKey) => eventsOf(paypal, railKey, clock.now()),
  };
}

/** Of a currency with two digits. */
const sumOf = (payments: { units: number }[]): number => payments.reduce((sum, { units }) => sum + units, 0);

function eventsOf(paypal: PaypalSandbox, railKey: string, now: Date): Record<string, () => unknown> {
  const [payment] = paypal.sentAs(railKey).slice(-1);
  switch (payment?.status) {
    case 'UNCLAIMED':
      return {
        'its payee claims it': () => paypal.books.claim(payment, now),
        'nobody came for it': () => paypal.books.cancel(payment, now),
        'PayPal holds it': () => paypal.books.hold(payment, now),
      };
    case 'ONHOLD':
      return {
        'PayPal lets it through': () => paypal.books.claim(payment, now),
        'PayPal does not let it through': () => paypal.books.block(payment, now),
      };
    case 'SUCCESS':
      return { 'its payee sends it back': () => paypal.books.comesBack(payment, 'REFUNDED', now) };
    default:
      return {};
  }
}

runRailHistories({ definition: claimRail, open }, { runs: 25, endings: ['settled', 'refused', 'returned'] });
