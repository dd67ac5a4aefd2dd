/** Stripe Connect, simulated: real HTTP on loopback, real balances, and whatever goes wrong on request. */
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
import { StripeApi } from './stripe-api';
import {
  type Change,
  type StripeAccount,
  StripeBooks,
  type StripePayout,
  type StripeState,
  type StripeTransfer,
} from './stripe-books';
import { deedsAt } from './stripe-deeds';
import { forged, noticeOf, type NoticeSecrets } from './stripe-notices';
import { setupPage } from './stripe-pages';

export interface StripeSandboxOptions {
  secretKey: string;
  clock: Clock;
  /** What its notices are signed with. */
  secrets?: NoticeSecrets;
  /** Where its notices go; nowhere if nothing is said. */
  noticesUrl?: string | null;
  /** How long a bank looks at a payout before it is paid. */
  processedAfterMs?: number;
  balances?: Record<string, number>;
  /** Where the books are kept; in memory if nothing is said. */
  file?: string | null;
  watch?(request: SandboxRequest, answer: SandboxAnswer): void;
}

/** What time does is done though nobody asks. */
const LOOKS_EVERY_MS = 250;

const EMPTY = {
  accountId: 'acct_platform',
  accounts: [],
  links: [],
  transfers: [],
  reversals: [],
  payouts: [],
  fates: {},
  stored: {},
};

export class StripeSandbox implements SimulatedProvider {
  readonly faults: Faults;
  readonly books: StripeBooks;
  readonly deeds: SimulatedProvider['deeds'];
  private readonly disk: DiskBooks<StripeState>;
  private readonly server: SandboxServer;
  private readonly notices: NoticeSender;
  private readonly secrets: NoticeSecrets;
  private readonly misbooked = new Map<string, number>();
  private url = '';
  private looking?: NodeJS.Timeout;

  constructor(private readonly options: StripeSandboxOptions) {
    const {
      secretKey,
      clock,
      balances = { usd: 10_000_000, eur: 10_000_000 },
      file = null,
      noticesUrl = null,
    } = options;
    this.secrets = options.secrets ?? { platform: 'whsec_platform', connect: 'whsec_connect' };
    this.disk = diskBooks<StripeState>({ ...structuredClone(EMPTY), balances, noticesUrl }, file);
    this.books = new StripeBooks(
      this.disk.state,
      () => clock.now(),
      (change) => this.tell(change),
    );
    this.deeds = deedsAt(this);
    const api = new StripeApi({
      ...{ state: this.disk.state, books: this.books, secretKey, url: () => this.url },
      now: () => clock.now(),
      misbook: (group, units) => units + (this.misbooked.get(group) ?? 0),
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
      CUSTODIAL_A_SECRET_KEY: this.options.secretKey,
      CUSTODIAL_A_WEBHOOK_SECRET: this.secrets.platform,
      CUSTODIAL_A_CONNECT_WEBHOOK_SECRET: this.secrets.connect,
      CUSTODIAL_A_BASE_URL: this.url,
    };
  }

  shown(): Omit<StripeState, 'stored'> {
    const { stored: _, ...shown } = this.state;
    return shown;
  }

  get state(): StripeState {
    this.catchUp();
    return this.disk.state;
  }

  /** An account of a payee, as it is after its owner was checked. */
  hasAccount(changes: Partial<StripeAccount> & Pick<StripeAccount, 'id'>): StripeAccount {
    const usual = {
      country: 'DE',
      currency: 'eur',
      owner: 'Ada Testperson',
      last4: '3000',
      reason: null,
      metadata: {},
    };
    const account: StripeAccount = {
      ...{ ...usual, balances: {}, createdAt: this.options.clock.now().toISOString() },
      ...{ interval: 'manual', standing: 'verified', ...changes },
    };
    this.disk.state.accounts.push(account);
    this.disk.save();
    return account;
  }

  transfersOf(group: string): StripeTransfer[] {
    return this.state.transfers.filter((transfer) => transfer.group === group);
  }

  payoutsOf(railKey: string): StripePayout[] {
    return this.state.payouts.filter(({ metadata }) => metadata.rail_key === railKey);
  }

  /** Its payouts wait at the bank, or fail there with this word, before they are paid. */
  destines(railKey: string, fails: string | null): void {
    this.disk.state.fates[railKey] = { fails };
    this.disk.save();
  }

  /** So many of its smallest units lie in the platform's account from now on. */
  fund(currency: string, units: number): void {
    this.disk.state.balances[currency] = units;
    this.disk.save();
  }

  /** Books so much more, or less, than it is asked to. */
  misbooks(group: string, units: number): void {
    this.misbooked.set(group, units);
  }

  tellsAt(url: string | null): void {
    this.disk.state.noticesUrl = url;
    this.disk.save();
  }

  /** As it is told about what changed. */
  notice(change: Change): Notice {
    return noticeOf(change, this.options.clock.now(), this.secrets);
  }

  private answer(request: SandboxRequest, api: StripeApi): SandboxAnswer {
    const parts = { state: this.disk.state, books: this.books, now: () => this.options.clock.now() };
    const answer = setupPage(request, parts) ?? api.answer(request);
    this.catchUp();
    if (request.method !== 'GET') this.disk.save();
    return answer;
  }

  private catchUp(): void {
    this.books.catchUp(this.options.processedAfterMs ?? 0);
  }

  private tell(change: Change): void {
    this.disk.save();
    this.notices.tell(this.disk.state.noticesUrl, this.notice(change));
  }
}
