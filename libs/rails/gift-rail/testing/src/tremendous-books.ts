/** What the simulated Tremendous knows: a balance, orders of one reward each, and links. Each rule of its money stands here. */
import { randomBytes } from 'node:crypto';

/** Money is counted in hundredths of any currency. One of the reward's costs one of the balance's, whatever the two are. */
export interface TremendousOrder {
  id: string;
  externalId: string | null;
  campaignId: string | null;
  /** What was asked for, word for word: under the same `external_id` nothing else is taken. */
  asked: string;
  createdAt: string;
  status: 'PENDING APPROVAL' | 'EXECUTED' | 'FAILED' | 'CANCELED';
  reward: TremendousReward;
  /** Of the balance; null: it was not taken. */
  paid: { total: number; fees: number } | null;
  /** What came back of it; null: nothing was given back. */
  refund: number | null;
}

export interface TremendousReward {
  id: string;
  hundredths: number;
  currency: string;
  recipient: { name: string | null; email: string };
  sender: string | null;
  expiresAt: string | null;
  /** What its page was asked for, and when. No call of the API tells it. */
  redeemed: { at: string; as: string } | null;
}

export interface TremendousState {
  /** Of the balance as a funding source: an organisation has one. */
  balanceId: string;
  currency: string;
  hundredths: number;
  /** What was paid in, and cannot be spent yet. Books of an earlier version have none. */
  pending?: number;
  campaigns: string[];
  orders: TremendousOrder[];
  /** Which reward a link is for, by its token. */
  links: Record<string, string>;
  /** Orders to these addresses wait for somebody to approve them. */
  reviewed: string[];
  /** Where it tells what it has to tell. */
  noticesUrl: string | null;
}

export interface Change {
  event: 'ORDERS.CREATED' | 'ORDERS.APPROVED' | 'ORDERS.CANCELED' | 'ORDERS.FAILED' | 'REWARDS.CANCELED';
  order: TremendousOrder;
}

export type NewOrder = Pick<TremendousOrder, 'externalId' | 'campaignId' | 'asked'> & {
  reward: Pick<TremendousReward, 'hundredths' | 'currency' | 'recipient' | 'sender'>;
};

/** What a reward in another currency than the balance costs beside its value. */
const FOREIGN_FEE = 30;

export class TremendousBooks {
  constructor(
    private readonly state: TremendousState,
    private readonly now: () => Date,
    private readonly changed: (change: Change) => void,
  ) {}

  named(externalId: string): TremendousOrder | undefined {
    return this.state.orders.find((order) => order.externalId === externalId);
  }

  order(word: string): TremendousOrder | undefined {
    return this.state.orders.find(({ id }) => id === word) ?? this.named(word);
  }

  orderOfReward(rewardId: string): TremendousOrder | undefined {
    return this.state.orders.find(({ reward }) => reward.id === rewardId);
  }

  /** null: the balance is too short, and nothing is made of it. */
  take(asked: NewOrder): TremendousOrder | null {
    const order: TremendousOrder = {
      ...asked,
      ...{ id: numbered(), createdAt: this.now().toISOString(), status: 'PENDING APPROVAL', paid: null, refund: null },
      reward: { ...asked.reward, id: numbered(), expiresAt: null, redeemed: null },
    };
    const isReviewed = this.state.reviewed.includes(order.reward.recipient.email);
    if (!isReviewed && !this.pay(order)) return null;
    this.state.orders.push(order);
    this.changed({ event: 'ORDERS.CREATED', order });
    return order;
  }

  approve(order: TremendousOrder): void {
    this.expect(order, ['PENDING APPROVAL'], 'approved');
    const isPaid = this.pay(order);
    if (!isPaid) order.status = 'FAILED';
    this.changed({ event: isPaid ? 'ORDERS.APPROVED' : 'ORDERS.FAILED', order });
  }

  reject(order: TremendousOrder): void {
    this.expect(order, ['PENDING APPROVAL'], 'rejected');
    order.status = 'CANCELED';
    this.changed({ event: 'ORDERS.CANCELED', order });
  }

  /** By somebody in the dashboard, of what nobody redeemed. `kept` is not given back. */
  cancel(order: TremendousOrder, kept = 0): void {
    this.expect(order, ['EXECUTED'], 'cancelled');
    if (order.reward.redeemed) throw new Error('What was redeemed cannot be cancelled.');
    order.status = 'CANCELED';
    order.refund = (order.paid?.total ?? 0) - kept;
    this.state.hundredths += order.refund;
    this.changed({ event: 'REWARDS.CANCELED', order });
  }

  /** Each call makes a new one, and all of them are good. */
  link({ id }: TremendousReward): string {
    const token = randomBytes(12).toString('hex');
    this.state.links[token] = id;
    return token;
  }

  linked(token: string): TremendousOrder | undefined {
    const rewardId = Object.hasOwn(this.state.links, token) ? this.state.links[token] : undefined;
    return rewardId === undefined ? undefined : this.orderOfReward(rewardId);
  }

  redeem(order: TremendousOrder, as: string): void {
    this.expect(order, ['EXECUTED'], 'redeemed');
    order.reward.redeemed ??= { at: this.now().toISOString(), as };
  }

  private pay(order: TremendousOrder): boolean {
    const { hundredths, currency } = order.reward;
    const fees = currency === this.state.currency ? 0 : FOREIGN_FEE;
    if (this.state.hundredths < hundredths + fees) return false;
    this.state.hundredths -= hundredths + fees;
    order.paid = { total: hundredths + fees, fees };
    order.status = 'EXECUTED';
    return true;
  }

  private expect({ status }: TremendousOrder, from: TremendousOrder['status'][], what: string): void {
    if (!from.includes(status)) throw new Error(`What is ${status} cannot be ${what}.`);
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const numbered = (): string => [...randomBytes(12)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
