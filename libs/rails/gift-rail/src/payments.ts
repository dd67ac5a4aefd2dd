/** Orders of ours become orders of Tremendous's, once for each code, and their state becomes facts. */
import {
  afterSending,
  type LookupAnswer,
  type LookupFact,
  ofAllNames,
  type RailCall,
  type RailOrder,
  type SubmitAnswer,
} from '#libs/rail-kit';
import { denominationOf } from './amounts';
import { factOf, isOver, notNow, refusalOf, stateOf } from './gift-rail.mapping';
import type { Handovers } from './handovers';
import type { Found, Orders } from './orders';
import { externalId, type Sendings } from './sendings';
import { BALANCE, type NewOrder, type TremendousAnswer, type TremendousClient } from './tremendous.client';
import type { Order, Problem } from './tremendous.shapes';

/** A payee without an address cannot be sent anything; the core keeps such a payout away. */
const NO_ADDRESS = { kind: 'refused', failure: 'permanent', reason: 'the payee has no e-mail address' } as const;
const NO_AMOUNT = { kind: 'refused', failure: 'permanent', reason: 'no amount that Tremendous can count' } as const;
const MAY_BE_THERE = {
  kind: 'unknown',
  detail:
    'Tremendous does not list what it took, or what was sent less than ten minutes ago and may still arrive there',
} as const;

type Reading = (order: Order, isHandedOver: boolean) => LookupFact;
type Answer = TremendousAnswer<{ order: Order }>;

export interface PaymentParts {
  client: TremendousClient;
  orders: Orders;
  sendings: Sendings;
  handovers: Handovers;
  campaignId: string;
}

export class Payments {
  constructor(private readonly parts: PaymentParts) {}

  async submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    const { client, sendings, campaignId } = this.parts;
    const reward = rewardOf(order, campaignId);
    if ('kind' in reward) return reward;
    const sending = await sendings.toSend(order.railKey);
    const { number } = sending;
    const earlier = number > 1 ? await this.beforeNext(order, call) : null;
    if (earlier) return earlier as SubmitAnswer;
    const name = externalId(order.railKey, number);
    const made = await sendings.calling(order.railKey);
    const answer = await client.createOrder(
      { external_id: name, payment: { funding_source_id: BALANCE }, reward },
      call?.signal,
    );
    const isThere = answer.kind === 'done' && !isOver(answer.found.order);
    if (answer.kind !== 'unclear') await sendings.answered(order.railKey, sending, made, isThere);
    return (await this.heard(order, number, answer, call)) as SubmitAnswer;
  }

  /** Tremendous may have executed an order that it had called failed: then nothing is sent beside it. null: it did not. */
  private async beforeNext(order: RailOrder, call?: RailCall): Promise<LookupAnswer | null> {
    const { orders, sendings } = this.parts;
    const found = await orders.find(order.railKey, await sendings.names(order.railKey), call?.signal);
    if (found.kind === 'none') return null;
    const fact = await this.told(order, found, factOf);
    return fact.kind === 'refused' ? null : fact;
  }

  /** Tremendous is asked, and nothing is sent. */
  async lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    const { railKey } = order;
    const found = await this.found(railKey, call);
    if (found.kind !== 'none') return this.told(order, found, stateOf);
    // An order under way is sent again under the same name. One at rest may leave with another payout.
    const isInDoubt = call?.movesNothing === 'at_rest' && (await this.parts.sendings.mayBeThere(railKey));
    return isInDoubt ? MAY_BE_THERE : { kind: 'never_seen' };
  }

  private async heard(order: RailOrder, number: number, answer: Answer, call?: RailCall): Promise<LookupAnswer> {
    const { railKey } = order;
    if (answer.kind === 'unclear') return { kind: 'unknown', detail: answer.detail };
    if (answer.kind === 'later') return notNow(answer.afterSeconds);
    if (answer.kind === 'rejected') return this.turnedAway(order, answer, call);
    const made = answer.found.order;
    // Of one that came to nothing before: our own records may be older than the one that followed it.
    const found: Found = isOver(made)
      ? await this.parts.orders.find(railKey, { from: number, last: number }, call?.signal)
      : { kind: 'found', order: made, number, others: [] };
    return afterSending(await this.told(order, found, factOf));
  }

  /**
   * This call did nothing. An earlier one whose answer was lost may have worked all the same, however long ago, and the money for this one
   * may have gone into it. If the name is used with other words under it, that is asked about as well.
   */
  private async turnedAway(
    order: RailOrder,
    { status, problem }: { status: number; problem: Problem },
    call?: RailCall,
  ): Promise<LookupAnswer> {
    const { railKey } = order;
    const said = refusalOf(status, problem);
    const { sendings } = this.parts;
    if (said.kind !== 'unknown' && !(await sendings.wasSent(railKey))) return said;
    const found = await this.found(railKey, call);
    if (found.kind !== 'none') return afterSending(await this.told(order, found, factOf));
    if (said.kind !== 'unknown' && !(await sendings.mayBeThere(railKey))) return said;
    const detail = said.kind === 'refused' ? `turned away now (${said.reason}), and sent before` : said.detail;
    return { kind: 'unknown', detail };
  }

  /** An order that came to nothing does not tell about a later one, which may not be listed yet, or may still arrive. */
  private async found(railKey: string, call?: RailCall): Promise<Found> {
    const { orders, sendings } = this.parts;
    const found = await orders.find(railKey, await sendings.names(railKey), call?.signal);
    const isOfBefore =
      found.kind === 'found' && isOver(found.order) && (await sendings.mayBeThere(railKey, found.number));
    return isOfBefore ? { kind: 'none' } : found;
  }

  private async told(asked: RailOrder, found: Found, reading: Reading): Promise<LookupAnswer> {
    const { railKey } = asked;
    if (found.kind === 'none') return { kind: 'unknown', detail: 'an order that Tremendous showed just now is gone' };
    if (found.kind !== 'found') return found;
    const { order, number, others } = found;
    const fact = await this.read(order, reading);
    if (fact.kind === 'refused') await this.parts.sendings.isOver(railKey, number);
    else if (!isOver(order)) await this.parts.sendings.isThere(railKey, number);
    const earlier: LookupFact[] = [];
    for (const each of others) earlier.push(await this.read(each, reading));
    return ofAllNames(asked, fact, earlier);
  }

  /** A click may have its link noted at the same moment: if that comes first, the order was handed over. */
  private async read(order: Order, reading: Reading): Promise<LookupFact> {
    const { handovers } = this.parts;
    const fact = reading(order, await handovers.isHandedOver(order.id));
    if (fact.kind !== 'refused' || (await handovers.ends(order.id))) return fact;
    return reading(order, true);
  }
}

function rewardOf(
  { amountCents, currency, payee: { email, name }, payerName }: RailOrder,
  campaignId: string,
): NewOrder['reward'] | typeof NO_ADDRESS | typeof NO_AMOUNT {
  if (email === null) return NO_ADDRESS;
  const denomination = denominationOf({ amountCents, currency });
  // The traits keep such an amount away; nothing was sent.
  if (denomination === null) return NO_AMOUNT;
  return {
    campaign_id: campaignId,
    value: { denomination, currency_code: currency },
    recipient: { ...(name === null ? {} : { name }), email },
    delivery: { method: 'LINK', ...(payerName === null ? {} : { meta: { sender_name: payerName } }) },
  };
}
