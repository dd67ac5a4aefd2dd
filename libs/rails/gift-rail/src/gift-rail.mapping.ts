/** Tremendous's words in ours. Only an explicit yes or no ends a payout: what stands in no table is unknown. */
import {
  codeTold,
  type Echo,
  type LookupFact,
  type NotNow,
  type RailFee,
  type Refused,
  sentenceTold,
  type SubmitFact,
  type Unknown,
} from '#libs/rail-kit';
import { centsOf, moneyOf } from './amounts';
import type { Order, Payment, Problem } from './tremendous.shapes';

/** Of a call that Tremendous turned away: nothing was made of it. */
const REFUSALS = new Map<number, Refused['failure']>([
  [400, 'permanent'],
  [401, 'credentials'],
  [402, 'funding'],
  [403, 'credentials'],
  [422, 'permanent'],
]);

/** Somebody there has to look at it first, or it is being paid. */
const ON_ITS_WAY = ['OPEN', 'PENDING APPROVAL', 'PENDING INTERNAL PAYMENT APPROVAL', 'PENDING SETTLEMENT'];

const COULD_NOT_PAY: Refused = { kind: 'refused', failure: 'funding', reason: 'Tremendous could not pay the order' };
/** Its payee was led to the reward: they may have it, and Tremendous does not tell. */
const FAILED_AFTERWARDS: Unknown = {
  ...{ kind: 'unknown', contradicts: true },
  detail: 'the order failed after its payee was led to the reward',
};

interface Told {
  providerRef: string;
  echo?: Echo;
  fee?: RailFee;
}

/** Nothing will come of it any more, and its name is used up. */
export const isOver = ({ status }: Pick<Order, 'status'>): boolean => status === 'FAILED' || status === 'CANCELED';

/** How an order ended. `isHandedOver`: its payee was led to the page on which they take it. */
export function factOf(order: Order, isHandedOver: boolean): SubmitFact {
  const { status } = order;
  if (status === 'FAILED') return isHandedOver ? FAILED_AFTERWARDS : COULD_NOT_PAY;
  if (status === 'CANCELED' && !isHandedOver)
    return { kind: 'refused', failure: 'expired', reason: 'cancelled at Tremendous before its payee came for it' };
  const told = toldOf(order);
  if (ON_ITS_WAY.includes(status)) return { kind: 'accepted', ...told };
  if (status !== 'EXECUTED' && status !== 'CANCELED')
    return { kind: 'unknown', detail: `order status '${codeTold(status.replaceAll(' ', '_'))}' is not mapped` };
  if (!told.echo) return { kind: 'unknown', detail: 'Tremendous tells no amount that can be read' };
  // To be sent it once more, it says that it did; that it came back is told by `stateOf`.
  return isHandedOver
    ? { kind: 'settled', ...told, settledAt: null }
    : { kind: 'awaiting_payee', ...told, claimUrl: null };
}

/** The answer of a look-up. */
export function stateOf(order: Order, isHandedOver: boolean): LookupFact {
  const fact = factOf(order, isHandedOver);
  return fact.kind === 'settled' && order.status === 'CANCELED' ? cameBack(order, fact.echo?.currency) : fact;
}

/** Less than it cost may come back, in the currency of the balance. */
function cameBack({ payment }: Order, currency?: string): LookupFact {
  const kept = payment ? keptOf(payment) : null;
  if (kept === 0) return { kind: 'bounced', feeCents: 0 };
  if (kept === null || payment?.currency_code !== currency)
    return { kind: 'unknown', detail: 'it was cancelled, and what came back cannot be held against the payout' };
  return { kind: 'bounced', feeCents: kept };
}

function keptOf({ subtotal, refund, currency_code }: Payment): number | null {
  const [cost, back] = [centsOf(subtotal, currency_code), refund ? centsOf(refund.total, currency_code) : null];
  return cost === null || back === null ? null : Math.max(0, cost - back);
}

function toldOf({ id, rewards = [], payment }: Order): Told {
  const [reward, ...others] = rewards;
  const echo = reward && others.length === 0 ? moneyOf(reward.value.denomination, reward.value.currency_code) : null;
  const fee = payment ? moneyOf(payment.fees, payment.currency_code) : null;
  return { providerRef: id, ...(echo ? { echo } : {}), ...(fee ? { fee } : {}) };
}

/** A call that was turned away. */
export function refusalOf(status: number, { errors }: Problem): Refused | Unknown {
  const failure = REFUSALS.get(status);
  if (!failure) return { kind: 'unknown', detail: `HTTP ${status} is not mapped` };
  const reason = errors.message === undefined ? `HTTP ${status}` : sentenceTold(errors.message);
  return { kind: 'refused', failure: isOurSetting(errors.payload) ? 'credentials' : failure, reason };
}

/** It mirrors what was asked for, with no more in it than is wrong. What a setting says is no fault of the payout. */
function isOurSetting(payload: object = {}): boolean {
  const { payment, reward } = payload as { payment?: unknown; reward?: object };
  return payment !== undefined || (typeof reward === 'object' && reward !== null && 'campaign_id' in reward);
}

export function notNow(afterSeconds: number): NotNow {
  return { kind: 'not_now', afterSeconds, detail: `Tremendous wants a rest of ${afterSeconds} seconds` };
}
