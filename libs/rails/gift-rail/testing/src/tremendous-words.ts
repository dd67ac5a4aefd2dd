/** What the simulated Tremendous says, in the words of its published schema. */
import type { SandboxAnswer } from '#libs/provider-sandbox';
import type { TremendousOrder, TremendousReward, TremendousState } from './tremendous-books';

/** null: no amount that it takes. JSON's numbers are read as they were written. */
export function hundredthsOf(denomination: unknown): number | null {
  const [, whole = '', fraction = ''] = /^([0-9]{1,13})(?:\.([0-9]{1,2}))?$/.exec(String(denomination)) ?? [];
  if (typeof denomination !== 'number' || whole === '') return null;
  return Number(whole + fraction.padEnd(2, '0'));
}

export function decimalOf(hundredths: number): string {
  const text = String(Math.abs(hundredths)).padStart(3, '0');
  return `${hundredths < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** As a number, for that is how Tremendous says it. */
const denominationOf = (hundredths: number): number => Number(decimalOf(hundredths));

export function problem(status: number, message: string, payload: object = {}): SandboxAnswer {
  return { status, body: { errors: { message, payload } } };
}

/** `link`: only who creates an order is told it. */
export function orderBody(order: TremendousOrder, { currency }: TremendousState, link?: string): object {
  const { id, externalId, campaignId, createdAt, status, paid, refund, reward } = order;
  return {
    ...{ id, external_id: externalId, campaign_id: campaignId, created_at: createdAt, status, channel: 'API' },
    ...(paid === null ? {} : { payment: paymentBody(paid, refund, currency) }),
    rewards: [rewardBody(reward, order, link)],
  };
}

function paymentBody({ total, fees }: NonNullable<TremendousOrder['paid']>, refund: number | null, currency: string) {
  return {
    ...{ subtotal: denominationOf(total - fees), total: denominationOf(total), fees: denominationOf(fees) },
    ...{ discount: 0, currency_code: currency },
    ...(refund === null ? {} : { refund: { total: denominationOf(refund), currency_code: currency } }),
  };
}

/** Whether it was redeemed is nowhere in there: Tremendous does not tell. */
export function rewardBody(reward: TremendousReward, order: TremendousOrder, link?: string): object {
  const { id, hundredths, currency, recipient, expiresAt } = reward;
  return {
    ...{ id, order_id: order.id, created_at: order.createdAt, expires_at: expiresAt },
    value: { denomination: denominationOf(hundredths), currency_code: currency },
    ...{ recipient, delivery: { method: 'LINK', status: 'SUCCEEDED', ...(link === undefined ? {} : { link }) } },
  };
}

export function balanceBody({ balanceId, currency, hundredths, pending = 0 }: TremendousState): object {
  const amounts = { available_amount: denominationOf(hundredths), pending_amount: denominationOf(pending) };
  return {
    ...{ id: balanceId, method: 'balance', status: 'active', usage_permissions: ['api_orders', 'dashboard_orders'] },
    meta: { ...amounts, currency_code: currency },
  };
}
