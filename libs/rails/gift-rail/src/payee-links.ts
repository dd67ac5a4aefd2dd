/** The way of a payee to the page on which they take their reward. */
import type { Clock, PayeeLinkAnswer, RailCall, RailOrder } from '#libs/rail-kit';
import { stateOf } from './gift-rail.mapping';
import type { Handovers } from './handovers';
import { type FoundOrder, notTold, type Orders } from './orders';
import type { Sendings } from './sendings';
import type { TremendousClient } from './tremendous.client';
import type { Order } from './tremendous.shapes';

const NOTHING = { kind: 'none', detail: 'there is no order that waits for its payee' } as const;

export interface PayeeLinkParts {
  client: TremendousClient;
  orders: Orders;
  handovers: Handovers;
  sendings: Sendings;
  clock: Clock;
}

export class PayeeLinks {
  constructor(private readonly parts: PayeeLinkParts) {}

  /** Asked for only while its payout waits for the payee: an order that Tremendous had called failed before is alive then. */
  async link({ railKey }: RailOrder, call?: RailCall): Promise<PayeeLinkAnswer> {
    const { client, orders, handovers, sendings, clock } = this.parts;
    const askedAt = clock.now();
    const found = await orders.find(railKey, await sendings.names(railKey), call?.signal);
    if (found.kind === 'none') return NOTHING;
    if (found.kind !== 'found') return found;
    const { id, status, rewards: [reward, ...others] = [] } = await this.theirs(found);
    if (status !== 'EXECUTED' || !reward || others.length > 0) return NOTHING;
    const answer = await client.generateLink(reward.id, call?.signal);
    if (answer.kind === 'rejected') return { kind: 'none', detail: `Tremendous gives no link: HTTP ${answer.status}` };
    if (answer.kind !== 'done') return notTold(answer);
    await handovers.noteAlive(id, askedAt);
    return { kind: 'link', url: answer.found.reward.link, of: id };
  }

  /** Whoever was led to one order is led to no other, also if it failed since: they may have it. Unless its money came back. */
  private async theirs({ order, others }: FoundOrder): Promise<Order> {
    for (const each of others)
      if (stateOf(each, true).kind !== 'bounced' && (await this.parts.handovers.isHandedOver(each.id))) return each;
    return order;
  }

  /**
   * Anybody with the link can take the money, and nobody hears of it: from now on it counts as the payee's. This is about the very order that
   * the link belongs to, because another one may be alive by now. Throws if that one was called refused meanwhile: nobody is led to it then.
   */
  async handedOver(orderId: string): Promise<void> {
    await this.parts.handovers.note(orderId);
  }
}
