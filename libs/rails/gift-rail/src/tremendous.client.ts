/** Tremendous's API v2 in its own words. It knows nothing of payouts of ours. */
import { type Answer, heldAgainst, type Shape, Transport } from '#libs/rail-transport';
import type { GiftRailSettings } from './gift-rail.settings';
import {
  type Balance,
  isBalance,
  isLink,
  isOrderFound,
  isOrderList,
  isProblem,
  isRewardFound,
  type Order,
  type Problem,
  type Reward,
} from './tremendous.shapes';

export type TremendousAnswer<Found> = Answer<Found, Problem>;

export interface NewOrder {
  external_id: string;
  payment: { funding_source_id: string };
  reward: {
    campaign_id: string;
    value: { denomination: number; currency_code: string };
    recipient: { name?: string; email: string };
    delivery: { method: 'LINK'; meta?: { sender_name: string } };
  };
}

/** The balance of the organisation, by the name that it has for every organisation. */
export const BALANCE = 'BALANCE';

const API = '/api/v2';

interface Call {
  method: 'GET' | 'POST';
  path: string;
  json?: object;
  signal?: AbortSignal;
}

export class TremendousClient {
  private readonly transport: Transport;

  constructor(private readonly settings: GiftRailSettings) {
    this.transport = new Transport(settings);
  }

  createOrder(order: NewOrder, signal?: AbortSignal): Promise<TremendousAnswer<{ order: Order }>> {
    return this.call({ method: 'POST', path: '/orders', json: order, signal }, isOrderFound);
  }

  ordersNamed(externalId: string, signal?: AbortSignal): Promise<TremendousAnswer<{ orders: Order[] }>> {
    const path = `/orders?external_id=${encodeURIComponent(externalId)}`;
    return this.call({ method: 'GET', path, signal }, isOrderList);
  }

  async readOrder(id: string, signal?: AbortSignal): Promise<TremendousAnswer<{ order: Order }>> {
    const path = `/orders/${encodeURIComponent(id)}`;
    return heldAgainst(await this.call({ method: 'GET', path, signal }, isOrderFound), ({ order }) => order.id === id);
  }

  async readReward(id: string, signal?: AbortSignal): Promise<TremendousAnswer<{ reward: Reward }>> {
    const path = `/rewards/${encodeURIComponent(id)}`;
    return heldAgainst(
      await this.call({ method: 'GET', path, signal }, isRewardFound),
      ({ reward }) => reward.id === id,
    );
  }

  async generateLink(
    rewardId: string,
    signal?: AbortSignal,
  ): Promise<TremendousAnswer<{ reward: { id: string; link: string } }>> {
    const path = `/rewards/${encodeURIComponent(rewardId)}/generate_link`;
    return heldAgainst(
      await this.call({ method: 'POST', path, signal }, isLink),
      ({ reward }) => reward.id === rewardId,
    );
  }

  readBalance(signal?: AbortSignal): Promise<TremendousAnswer<{ funding_source: Balance }>> {
    return this.call({ method: 'GET', path: `/funding_sources/${BALANCE}`, signal }, isBalance);
  }

  private call<Found>({ json, path, ...call }: Call, found: Shape<Found>): Promise<TremendousAnswer<Found>> {
    return this.transport.call<Found, Problem>({
      ...call,
      path: API + path,
      headers: { authorization: `Bearer ${this.settings.apiKey}` },
      ...(json ? { body: { type: 'application/json', text: JSON.stringify(json) } } : {}),
      found,
      problem: isProblem,
    });
  }
}
