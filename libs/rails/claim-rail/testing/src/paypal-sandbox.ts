/** PayPal, simulated: real HTTP on loopback, real balances, notices that are signed, and whatever goes wrong on request. */
import type { Clock } from '#libs/rail-kit';
import {
  type DiskBooks,
  diskBooks,
  type Faults,
  type Notice,
  NoticeSender,
  type SandboxAnswer,
  type SandboxRequest,
  SandboxServer,
  type SimulatedProvider,
} from '#libs/provider-sandbox';
import { PaypalApi } from './paypal-api';
import { PaypalBooks, type PaypalPayment, type PaypalState } from './paypal-books';
import { SANDBOX_CERTIFICATE } from './paypal-certificate';
import { deedsAt } from './paypal-deeds';
import { CERTIFICATE_PATH, forged, noticeOf } from './paypal-notices';
import { claimedItem, claimPage } from './paypal-pages';
import { PaypalTokens } from './paypal-tokens';

export interface PaypalSandboxOptions {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  clock: Clock;
  /** Where its notices go; nowhere if nothing is said. */
  noticesUrl?: string | null;
  /** How long a batch is looked at before it is paid. */
  processedAfterMs?: number;
  balances?: Record<string, number>;
  /** Where the books are kept; in memory if nothing is said. */
  file?: string | null;
  watch?(request: SandboxRequest, answer: SandboxAnswer): void;
}

/** What time does is done though nobody asks. */
const LOOKS_EVERY_MS = 250;

export class PaypalSandbox implements SimulatedProvider {
  readonly faults: Faults;
  readonly books: PaypalBooks;
  readonly tokens: PaypalTokens;
  readonly deeds: SimulatedProvider['deeds'];
  private readonly disk: DiskBooks<PaypalState>;
  private readonly server: SandboxServer;
  private readonly notices: NoticeSender;
  private readonly misbooked = new Map<string, number>();
  private url = '';
  private looking?: NodeJS.Timeout;

  constructor(private readonly options: PaypalSandboxOptions) {
    const {
      clientId,
      clientSecret,
      clock,
      balances = { USD: 10_000_000, EUR: 10_000_000 },
      file = null,
      noticesUrl = null,
    } = options;
    const empty = { accountId: 'SANDBXACCT234', balances, payments: [], registered: [], failing: {}, noticesUrl };
    this.disk = diskBooks<PaypalState>(empty, file);
    this.books = new PaypalBooks(this.disk.state, (payment) => this.tell(payment));
    this.tokens = new PaypalTokens(clientId, clientSecret);
    this.deeds = deedsAt(this);
    const api = new PaypalApi({
      ...{ state: this.disk.state, books: this.books, tokens: this.tokens },
      now: () => clock.now(),
      url: () => this.url,
      misbook: (senderItemId, units) => units + (this.misbooked.get(senderItemId) ?? 0),
    });
    this.server = new SandboxServer({ answer: (request) => this.answer(request, api), watch: options.watch });
    this.faults = this.server.faults;
    this.notices = new NoticeSender(this.faults, forged);
  }

  async start(port?: number): Promise<string> {
    this.url = await this.server.start(port);
    this.looking = setInterval(() => this.catchUp(), LOOKS_EVERY_MS).unref();
    return this.url;
  }

  async stop(): Promise<void> {
    clearInterval(this.looking);
    await this.server.stop();
    await this.notices.stop();
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

  get state(): PaypalState {
    this.catchUp();
    return this.disk.state;
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
    this.disk.state.registered.push(email.toLowerCase());
    this.disk.save();
  }

  /** Payments to this address fail with this word. */
  fails(email: string, error: string): void {
    this.disk.state.failing[email.toLowerCase()] = error;
    this.disk.save();
  }

  /** So many of its smallest units lie in the account from now on. */
  fund(currency: string, units: number): void {
    this.disk.state.balances[currency] = units;
    this.disk.save();
  }

  now(): Date {
    return this.options.clock.now();
  }

  /** Books so much more, or less, than it is asked to. */
  misbooks(senderItemId: string, units: number): void {
    this.misbooked.set(senderItemId, units);
  }

  tellsAt(url: string | null): void {
    this.disk.state.noticesUrl = url;
    this.disk.save();
  }

  private answer(request: SandboxRequest, api: PaypalApi): SandboxAnswer {
    this.catchUp();
    const answer = this.page(request) ?? api.answer(request);
    this.catchUp();
    if (request.method !== 'GET') this.disk.save();
    return answer;
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

  private catchUp(): void {
    this.books.catchUp(this.options.clock.now(), this.options.processedAfterMs ?? 0);
  }

  private tell(payment: PaypalPayment): void {
    this.disk.save();
    this.notices.tell(this.disk.state.noticesUrl, this.notice(payment));
  }

  private notice(payment: PaypalPayment): Notice {
    const { clock, webhookId } = this.options;
    return noticeOf(payment, clock.now(), { webhookId, url: this.url });
  }
}
