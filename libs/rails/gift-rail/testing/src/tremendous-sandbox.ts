/** Tremendous, simulated: real HTTP on loopback, a real balance, notices that are signed, and whatever goes wrong on request. */
import type { Clock } from '#libs/rail-kit';
import {
  type Notice,
  type SandboxAnswer,
  type SandboxRequest,
  ServedProvider,
  type ServingOptions,
  type SimulatedProvider,
} from '#libs/provider-sandbox';
import { TremendousApi } from './tremendous-api';
import { type Change, numbered, TremendousBooks, type TremendousOrder, type TremendousState } from './tremendous-books';
import { deedsAt } from './tremendous-deeds';
import { forged, noticeOf } from './tremendous-notices';
import { rewardPage } from './tremendous-pages';

export interface TremendousSandboxOptions extends ServingOptions {
  apiKey: string;
  /** What its notices are signed with. */
  webhookKey: string;
  clock: Clock;
  /** What lies in the balance, in hundredths. */
  hundredths?: number;
  currency?: string;
}

const CAMPAIGN = 'CAMPAIGN2345';

export class TremendousSandbox extends ServedProvider<TremendousState> {
  readonly books: TremendousBooks;
  readonly deeds: SimulatedProvider['deeds'];
  private readonly api: TremendousApi;

  constructor(private readonly options: TremendousSandboxOptions) {
    const { apiKey, webhookKey, clock, hundredths = 10_000_000, currency = 'USD', noticesUrl = null } = options;
    const nothing = { orders: [], links: {}, reviewed: [], campaigns: [CAMPAIGN] };
    super({
      ...options,
      forge: forged,
      empty: { ...nothing, balanceId: numbered(), currency, hundredths, noticesUrl },
    });
    this.books = new TremendousBooks(
      this.kept,
      () => clock.now(),
      (change) => this.send(this.notice(change)),
    );
    this.deeds = deedsAt(this);
    this.api = new TremendousApi({
      ...{ state: this.kept, books: this.books, apiKey, webhookKey, url: () => this.url },
      tellsAt: (url) => this.tellsAt(url),
      misbook: (externalId, amount) => amount + this.misbookedBy(externalId),
    });
  }

  settings(): Record<string, string> {
    return {
      GIFT_RAIL_API_KEY: this.options.apiKey,
      GIFT_RAIL_CAMPAIGN_ID: CAMPAIGN,
      GIFT_RAIL_WEBHOOK_KEY: this.options.webhookKey,
      GIFT_RAIL_BASE_URL: this.url,
    };
  }

  shown(): Omit<TremendousState, 'links'> {
    const { links: _, ...shown } = this.state;
    return shown;
  }

  /** Of a payout, the oldest first. */
  ordersOf(railKey: string): TremendousOrder[] {
    return this.state.orders.filter(({ externalId }) => externalId?.replace(/:[0-9]+$/, '') === railKey);
  }

  /** `pending`: what was paid in, and cannot be spent yet. */
  fund(hundredths: number, pending = 0): void {
    Object.assign(this.kept, { hundredths, pending });
    this.save();
  }

  reviews(email: string): void {
    this.kept.reviewed.push(email);
    this.save();
  }

  notice(change: Change): Notice {
    return noticeOf(change, this.options.clock.now(), this.options.webhookKey);
  }

  protected answer(request: SandboxRequest): SandboxAnswer {
    return rewardPage(request, this.books) ?? this.api.answer(request);
  }

  /** An order is paid or refused while its call is answered: time changes nothing here. */
  protected catchUp(): void {}
}
