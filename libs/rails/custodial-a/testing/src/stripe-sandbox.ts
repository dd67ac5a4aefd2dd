/** Stripe Connect, simulated: real HTTP on loopback, real balances, and whatever goes wrong on request. */
import type { Clock } from '#libs/rail-kit';
import {
  type Notice,
  type SandboxAnswer,
  type SandboxRequest,
  ServedProvider,
  type ServingOptions,
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

export interface StripeSandboxOptions extends ServingOptions {
  secretKey: string;
  clock: Clock;
  /** What its notices are signed with. */
  secrets?: NoticeSecrets;
  /** How long a bank looks at a payout before it is paid. */
  processedAfterMs?: number;
  balances?: Record<string, number>;
}

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

export class StripeSandbox extends ServedProvider<StripeState> {
  readonly books: StripeBooks;
  /** Of any list, whatever is asked for. */
  mostOnAPage = 100;
  readonly deeds: SimulatedProvider['deeds'];
  private readonly api: StripeApi;
  private readonly secrets: NoticeSecrets;

  constructor(private readonly options: StripeSandboxOptions) {
    const { secretKey, clock, balances = { usd: 10_000_000, eur: 10_000_000 }, noticesUrl = null } = options;
    super({ ...options, empty: { ...structuredClone(EMPTY), balances, noticesUrl }, forge: forged });
    this.secrets = options.secrets ?? { platform: 'whsec_platform', connect: 'whsec_connect' };
    this.books = new StripeBooks(
      this.kept,
      () => clock.now(),
      (change) => this.send(this.notice(change)),
    );
    this.deeds = deedsAt(this);
    this.api = new StripeApi({
      ...{ state: this.kept, books: this.books, secretKey, url: () => this.url },
      ...{ now: () => clock.now(), mostOnAPage: () => this.mostOnAPage },
      misbook: (group, units) => units + this.misbookedBy(group),
    });
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
    this.kept.accounts.push(account);
    this.save();
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
    this.kept.fates[railKey] = { fails };
    this.save();
  }

  /** So many of its smallest units lie in the platform's account from now on. */
  fund(currency: string, units: number): void {
    this.kept.balances[currency] = units;
    this.save();
  }

  /** So many will lie there, and cannot be paid out yet. */
  expects(currency: string, units: number): void {
    this.kept.pending = { ...this.kept.pending, [currency]: units };
    this.save();
  }

  /** As it is told about what changed. */
  notice(change: Change): Notice {
    return noticeOf(change, this.options.clock.now(), this.secrets);
  }

  protected answer(request: SandboxRequest): SandboxAnswer {
    const parts = { state: this.kept, books: this.books, now: () => this.options.clock.now() };
    return setupPage(request, parts) ?? this.api.answer(request);
  }

  protected catchUp(): void {
    this.books.catchUp(this.options.processedAfterMs ?? 0);
  }
}
