/** PayPal, simulated: real HTTP on loopback, real balances, notices that are signed, and whatever goes wrong on request. */
import type { Clock } from '#libs/rail-kit';
import {
  type Notice,
  type SandboxAnswer,
  type SandboxRequest,
  ServedProvider,
  type ServingOptions,
  type SimulatedProvider,
} from '#libs/provider-sandbox';
import { PaypalApi } from './paypal-api';
import { PaypalBooks, type PaypalPayment, type PaypalState } from './paypal-books';
import { SANDBOX_CERTIFICATE } from './paypal-certificate';
import { deedsAt } from './paypal-deeds';
import { CERTIFICATE_PATH, forged, noticeOf } from './paypal-notices';
import { claimedItem, claimPage } from './paypal-pages';
import { PaypalTokens } from './paypal-tokens';

export interface PaypalSandboxOptions extends ServingOptions {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  clock: Clock;
  /** How long a batch is looked at before it is paid. */
  processedAfterMs?: number;
  balances?: Record<string, number>;
}

export class PaypalSandbox extends ServedProvider<PaypalState> {
  readonly books: PaypalBooks;
  readonly tokens: PaypalTokens;
  readonly deeds: SimulatedProvider['deeds'];
  private readonly api: PaypalApi;

  constructor(private readonly options: PaypalSandboxOptions) {
    const {
      clientId,
      clientSecret,
      clock,
      balances = { USD: 10_000_000, EUR: 10_000_000 },
      noticesUrl = null,
    } = options;
    const empty = { accountId: 'SANDBXACCT234', balances, payments: [], registered: [], failing: {}, noticesUrl };
    super({ ...options, empty, forge: forged });
    this.books = new PaypalBooks(this.kept, (payment) => this.send(this.notice(payment)));
    this.tokens = new PaypalTokens(clientId, clientSecret);
    this.deeds = deedsAt(this);
    this.api = new PaypalApi({
      ...{ state: this.kept, books: this.books, tokens: this.tokens },
      now: () => clock.now(),
      url: () => this.url,
      misbook: (senderItemId, units) => units + this.misbookedBy(senderItemId),
    });
  }

  settings(): Record<string, string> {
    return {
      CLAIM_RAIL_CLIENT_ID: this.options.clientId,
      CLAIM_RAIL_CLIENT_SECRET: this.options.clientSecret,
      CLAIM_RAIL_WEBHOOK_ID: this.options.webhookId,
      CLAIM_RAIL_BASE_URL: this.url,
    };
  }

  shown(): PaypalState {
    return this.state;
  }

  /** Those that were sent under this word of the sender, the last one first. */
  sentAs(senderItemId: string): PaypalPayment[] {
    return this.state.payments.filter((payment) => payment.senderItemId === senderItemId).reverse();
  }

  /** As they are told about what was sent under this word, one for each payment as it stands. */
  noticesOf(senderItemId: string): Notice[] {
    return this.sentAs(senderItemId).map((payment) => this.notice(payment));
  }

  /** From now on it has an account, and is paid without claiming. */
  register(email: string): void {
    this.kept.registered.push(email.toLowerCase());
    this.save();
  }

  /** Payments to this address fail with this word. */
  fails(email: string, error: string): void {
    this.kept.failing[email.toLowerCase()] = error;
    this.save();
  }

  /** So many of its smallest units lie in the account from now on; and so many that PayPal does not let out yet. */
  fund(currency: string, units: number, withheld = 0): void {
    this.kept.balances[currency] = units;
    this.kept.withheld = { ...this.kept.withheld, [currency]: withheld };
    this.save();
  }

  now(): Date {
    return this.options.clock.now();
  }

  protected answer(request: SandboxRequest): SandboxAnswer {
    return this.page(request) ?? this.api.answer(request);
  }

  private page({ method, path, body }: SandboxRequest): SandboxAnswer | null {
    if (path === CERTIFICATE_PATH) return { status: 200, html: SANDBOX_CERTIFICATE };
    const itemId = claimedItem(path);
    if (itemId === null) return null;
    const payment = this.books.item(itemId);
    const now = this.options.clock.now();
    const deed = new URLSearchParams(body).get('deed');
    if (method === 'POST' && payment?.status === 'UNCLAIMED')
      if (deed === 'hold') this.books.hold(payment, now);
      else this.books.claim(payment, now);
    return claimPage(payment);
  }

  protected catchUp(): void {
    this.books.catchUp(this.options.clock.now(), this.options.processedAfterMs ?? 0);
  }

  private notice(payment: PaypalPayment): Notice {
    const { clock, webhookId } = this.options;
    return noticeOf(payment, clock.now(), { webhookId, url: this.url });
  }
}
