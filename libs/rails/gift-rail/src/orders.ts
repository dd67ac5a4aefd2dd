/** Finds the order of a payout: by its name, and by the names that follow if that one came to nothing. */
import type { NotNow, Unknown } from '#libs/rail-kit';
import { isOver, notNow } from './gift-rail.mapping';
import { externalId, type Names } from './sendings';
import type { TremendousAnswer, TremendousClient } from './tremendous.client';
import type { Order } from './tremendous.shapes';

/** Far more than a payout is tried while a database knows nothing of it. */
const MOST_NAMES = 100;
const ASKED_AT_ONCE = 10;

export interface FoundOrder {
  kind: 'found';
  order: Order;
  number: number;
  /** The others: Tremendous had called them over once, and their payee may have been led to one since. */
  others: Order[];
}

export type Found =
  | FoundOrder
  /** Tremendous says so. */
  | { kind: 'none' }
  | NotNow
  | Unknown;

const OTHERS: Unknown = { kind: 'unknown', detail: 'Tremendous shows other orders than were asked for' };

type Named = Exclude<Found, { kind: 'found' }> | { kind: 'found'; order: Order };

export class Orders {
  constructor(private readonly client: TremendousClient) {}

  /** The one that is alive, else the last one that is over; under these names, and those that follow while they are over. */
  async find(railKey: string, { from, last }: Names, signal?: AbortSignal): Promise<Found> {
    const found: Omit<FoundOrder, 'others'>[] = [];
    for (let number = from; number < from + MOST_NAMES;) {
      for (const named of await this.someFrom(railKey, number, last, signal)) {
        if (named.kind !== 'found' && named.kind !== 'none') return named;
        if (named.kind === 'found') found.push({ ...named, number });
        const isLast = named.kind === 'none' || !isOver(named.order);
        if (isLast && number >= last) return theOne(found);
        number += 1;
      }
    }
    return { kind: 'unknown', detail: `Tremendous shows ${MOST_NAMES} orders that came to nothing` };
  }

  /** Up to the last that is known here they are asked about together: whoever waits has not long. Those beyond it one by one. */
  private someFrom(railKey: string, from: number, last: number, signal?: AbortSignal): Promise<Named[]> {
    const count = Math.min(Math.max(1, last - from + 1), ASKED_AT_ONCE);
    return Promise.all(Array.from({ length: count }, (_, nth) => this.under(externalId(railKey, from + nth), signal)));
  }

  private async under(name: string, signal?: AbortSignal): Promise<Named> {
    const answer = await this.client.ordersNamed(name, signal);
    if (answer.kind !== 'done') return notTold(answer);
    const { orders } = answer.found;
    const [order, ...others] = orders.filter(({ external_id }) => external_id === name);
    if (order && others.length > 0) return severalOf([order, ...others]);
    if (order) return this.whole(order, signal);
    // Where only others are listed this one may stand behind them.
    return orders.length > 0 ? OTHERS : { kind: 'none' };
  }

  /** Where orders are listed their rewards may be left out. */
  private async whole(listed: Order, signal?: AbortSignal): Promise<Named> {
    if (listed.rewards !== undefined) return { kind: 'found', order: listed };
    const answer = await this.client.readOrder(listed.id, signal);
    if (answer.kind !== 'done') return notTold(answer);
    const { order } = answer.found;
    // Anybody who is led to its reward has the money.
    const isIt = order.id === listed.id && order.external_id === listed.external_id;
    return isIt ? { kind: 'found', order } : OTHERS;
  }
}

/** Nobody knows how. Of a payout that failed it is news if one of them is alive. */
const severalOf = (orders: Order[]): Unknown => ({
  kind: 'unknown',
  detail: 'Tremendous shows several orders under one external_id',
  ...(orders.every(isOver) ? {} : { contradicts: true }),
});

function theOne(found: Omit<FoundOrder, 'others'>[]): Found {
  const alive = found.filter(({ order }) => !isOver(order));
  const one = (alive.length > 0 ? alive : found).at(-1);
  if (!one) return { kind: 'none' };
  return { ...one, others: found.filter((each) => each !== one).map(({ order }) => order) };
}

/** Only the question was refused; the payment may be well under way. */
export function notTold(answer: Exclude<TremendousAnswer<unknown>, { kind: 'done' }>): NotNow | Unknown {
  if (answer.kind === 'later') return notNow(answer.afterSeconds);
  return { kind: 'unknown', detail: `Tremendous did not say: ${detailOf(answer)}` };
}

export function detailOf(answer: Exclude<TremendousAnswer<unknown>, { kind: 'done' }>): string {
  if (answer.kind === 'rejected') return `HTTP ${answer.status}`;
  return answer.kind === 'later' ? `wait ${answer.afterSeconds} s` : answer.detail;
}
