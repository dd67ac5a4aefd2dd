/** Histories of one payout of swap_rail: a first leg, what its payee begins, and what an operator takes back at Circle. */
import { type HistoryWorld, runRailHistories, type WorldParts } from '#libs/rail-kit/testing';
import type { CircleSandbox } from '../testing/src';
import { swapRail } from './swap-rail';
import { circleWorld, LISTS, TRANSFER } from './swap-rail.world.fake';

const OFF = ['FAILED', 'DENIED', 'CANCELLED'];
const UNITS_IN_A_CENT = 10_000;

async function open({ clock }: WorldParts, payout: number): Promise<HistoryWorld> {
  const world = await circleWorld(clock);
  const { circle } = world;
  return {
    world,
    order: { amountCents: 1_005 },
    prepares: ({ railKey }) => {
      if (payout % 4 === 3) circle.destines(`pay/${railKey}`, { ends: 'FAILED', error: 'TRANSACTION_UNDER_PRICE' });
    },
    door: {
      target: String(world.settings.SWAP_RAIL_BASE_URL),
      refusals: [
        { status: 401, body: { code: 401, message: 'No.' } },
        { status: 400, body: { code: 155258, message: 'No.' } },
      ],
      moves: ({ method, path }) => method === 'POST' && path === TRANSFER.path,
      lists: [{ path: new RegExp(`^${LISTS.path}\\?`), entries: ['data', 'transactions'], madeAt: 'createDate' }],
    },
    reached: (railKey) => {
      const alive = circle.transactionsOf(railKey, 'drain').filter(({ state }) => !OFF.includes(state));
      return alive.reduce((sum, { units }) => sum + units / UNITS_IN_A_CENT, 0);
    },
    heals: (railKey) => ['pay', 'drain'].map((kind) => circle.destines(`${kind}/${railKey}`, null)),
    events: (railKey) => eventsOf(circle, railKey),
  };
}

function eventsOf(circle: CircleSandbox, railKey: string): Record<string, () => unknown> {
  const [leg] = circle.transactionsOf(railKey, 'pay').slice(-1);
  const waits = circle.destines.bind(circle, `pay/${railKey}`, { ends: null, error: null });
  const goesOn = circle.destines.bind(circle, `pay/${railKey}`, null);
  const later = { 'first legs stay under way': waits, 'first legs go through': goesOn };
  if (!leg) return later;
  const { balances } = circle.state;
  const address = leg.to.toLowerCase();
  const another = {
    'another payout of its payee comes': () => (balances[address] = (balances[address] ?? 0) + leg.units),
  };
  const [drain] = circle.transactionsOf(railKey, 'drain').slice(-1);
  if (drain?.state === 'SENT') return { ...another, 'the drain fails': () => circle.books.ends(drain, 'FAILED') };
  const stays = { 'drains stay under way': () => circle.destines(`drain/${railKey}`, { ends: null, error: null }) };
  if (leg.state !== 'COMPLETE') {
    const isUnderWay = leg.state === 'SENT';
    return { ...later, ...another, ...(isUnderWay ? { 'it is denied': () => circle.books.ends(leg, 'DENIED') } : {}) };
  }
  const isThere = !drain && circle.transactionsOf(railKey, 'back').length === 0;
  return { ...another, ...stays, ...(isThere ? { 'an operator takes it back': () => circle.takesBack(leg) } : {}) };
}

runRailHistories({ definition: swapRail, open }, { runs: 30, endings: ['settled', 'refused'] });
