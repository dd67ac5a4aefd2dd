/** Stripe Connect, simulated: real HTTP on loopback, real balances, and whatever goes wrong on request. */
import type { Clock } from '#libs/rail-kit';
import {
  type DiskBooks,
  diskBooks,
  type Faults,
  type SandboxAnswer,
  type SandboxRequest,
  SandboxServer,
} from '#libs/provider-sandbox';
import { StripeApi } from './stripe-api';
import {
  type StripeAccount,
  StripeBooks,
  type StripePayout,
  type StripeState,
  type StripeTransfer,
} from './stripe-books';

export interface StripeSandboxOptions {
  secretKey: string;
  clock: Clock;
  balances?: Record<string, number>;
  /** Where the books are kept; in memory if nothing is said. */
  file?: string | null;
  watch?(request: SandboxRequest, answer: SandboxAnswer): void;
}

export class StripeSandbox {
  readonly faults: Faults;
  readonly books: StripeBooks;
  private readonly disk: DiskBooks<StripeState>;
  private readonly server: SandboxServer;
  private readonly misbooked = new Map<string, number>();
  /** What becomes of the payouts of these transfer groups: nothing for now, or a failure with this word. Others are paid. */
  private readonly fates = new Map<string, { fails: string | null }>();
  private url = '';

  constructor(private readonly options: StripeSandboxOptions) {
    const { secretKey, clock, balances = { usd: 10_000_000, eur: 10_000_000 }, file = null } = options;
    const empty = { accountId: 'acct_platform', balances, accounts: [], transfers: [], payouts: [], stored: {} };
    this.disk = diskBooks<StripeState>(empty, file);
    this.books = new StripeBooks(this.disk.state, () => clock.now());
    const api = new StripeApi({
      ...{ state: this.disk.state, books: this.books, secretKey },
      now: () => clock.now(),
      misbook: (group, units) => units + (this.misbooked.get(group) ?? 0),
    });
    this.server = new SandboxServer({ answer: (request) => this.answer(request, api), watch: options.watch });
    this.faults = this.server.faults;
  }

  async start(port?: number): Promise<string> {
    this.url = await this.server.start(port);
    return this.url;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  settings(): Record<string, string> {
    return { CUSTODIAL_A_SECRET_KEY: this.options.secretKey, CUSTODIAL_A_BASE_URL: this.url };
  }

  get state(): StripeState {
    return this.disk.state;
  }

  /** An account of a payee, as it is after its owner was checked. */
  hasAccount(changes: Partial<StripeAccount> & Pick<StripeAccount, 'id'>): void {
    const usual = {
      country: 'DE',
      currency: 'eur',
      owner: 'Ada Testperson',
      last4: '3000',
      reason: null,
      balances: {},
    };
    this.state.accounts.push({ ...usual, interval: 'manual', standing: 'verified', ...changes });
  }

  transfersOf(group: string): StripeTransfer[] {
    return this.state.transfers.filter((transfer) => transfer.group === group);
  }

  payoutsOf(railKey: string): StripePayout[] {
    return this.state.payouts.filter(({ metadata }) => metadata.rail_key === railKey);
  }

  /** Its payouts wait at the bank, or fail there with this word, before they are paid. */
  destines(railKey: string, fails: string | null): void {
    this.fates.set(railKey, { fails });
  }

  /** Books so much more, or less, than it is asked to. */
  misbooks(group: string, units: number): void {
    this.misbooked.set(group, units);
  }

  private answer(request: SandboxRequest, api: StripeApi): SandboxAnswer {
    const answer = api.answer(request);
    this.catchUp();
    if (request.method !== 'GET') this.disk.save();
    return answer;
  }

  private catchUp(): void {
    for (const payout of this.state.payouts) {
      if (payout.status !== 'pending') continue;
      const fate = this.fates.get(payout.metadata.rail_key ?? '');
      if (!fate) this.books.pays(payout);
      else if (fate.fails !== null) this.books.fails(payout, fate.fails);
    }
  }
}
