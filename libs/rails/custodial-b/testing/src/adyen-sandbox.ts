/** Adyen for Platforms, simulated: real HTTP on loopback, real balances, and whatever goes wrong on request. */
import type { Clock } from '#libs/rail-kit';
import {
  type Notice,
  type SandboxAnswer,
  type SandboxRequest,
  ServedProvider,
  type ServingOptions,
  type SimulatedProvider,
} from '#libs/provider-sandbox';
import { AdyenApi } from './adyen-api';
import {
  AdyenBooks,
  type AdyenFate,
  type AdyenHolder,
  type AdyenState,
  type AdyenTransfer,
  numbered,
} from './adyen-books';
import { deedsAt } from './adyen-deeds';
import { forged, signed } from './adyen-notices';
import { newLink, onboardingPage } from './adyen-pages';
import { noticeBody } from './adyen-words';

export interface AdyenSandboxOptions extends ServingOptions {
  /** Of the balance platform, and of legal entities. */
  apiKey: string;
  entitiesKey: string;
  clock: Clock;
  /** What its notices are signed with, in hex. */
  hmacKey?: string;
  /** How long a bank looks at a transfer before it is booked, and again before it is credited. */
  processedAfterMs?: number;
  /** How long it takes to check somebody. */
  verifiedAfterMs?: number;
  /** Smallest units that lie in the platform's own account. */
  balances?: Record<string, number>;
}

const PLATFORM = { id: 'BA_PLATFORM', holderId: 'AH_PLATFORM', reference: null };
const CAPABILITIES = ['receiveFromBalanceAccount', 'sendToTransferInstrument', 'sendToBalanceAccount'];

function emptyBooks(balances: Record<string, number>, noticesUrl: string | null): AdyenState {
  const person = { firstName: 'The', lastName: 'Platform', email: null, country: 'NL', instruments: [] };
  const holder = { reference: null, status: 'active', standing: 'verified', reason: null, verifiedAt: null } as const;
  return {
    ...{ balancePlatform: 'SimulatedPlatform', platformAccount: PLATFORM.id, transfers: [], links: [], fates: {} },
    entities: [{ id: 'LE_PLATFORM', reference: null, ...person }],
    holders: [{ id: PLATFORM.holderId, legalEntityId: 'LE_PLATFORM', ...holder, capabilities: CAPABILITIES }],
    accounts: [{ ...PLATFORM, balances, reserved: {} }],
    ...{ noticesUrl, stored: {} },
  };
}

export class AdyenSandbox extends ServedProvider<AdyenState> {
  readonly books: AdyenBooks;
  /** Of transfers, whatever is asked for. */
  mostOnAPage = 100;
  readonly deeds: SimulatedProvider['deeds'];
  private readonly api: AdyenApi;
  private readonly hmacKey: string;

  constructor(private readonly options: AdyenSandboxOptions) {
    const { apiKey, entitiesKey, clock, balances = { USD: 10_000_000, EUR: 10_000_000 } } = options;
    super({ ...options, empty: emptyBooks(balances, options.noticesUrl ?? null), forge: forged });
    this.hmacKey = options.hmacKey ?? 'AB'.repeat(32);
    this.books = new AdyenBooks(
      this.kept,
      () => clock.now(),
      (transfer) => this.send(this.notice(transfer)),
    );
    this.deeds = deedsAt(this);
    this.api = new AdyenApi({
      ...{ state: this.kept, books: this.books, apiKey, entitiesKey, url: () => this.url },
      ...{ now: () => clock.now(), mostOnAPage: () => this.mostOnAPage },
      newLink: (entity, redirectUrl) => newLink(this.pages(), entity, redirectUrl),
      misbook: (reference, units) => units + this.misbookedBy(reference),
    });
  }

  settings(): Record<string, string> {
    return {
      CUSTODIAL_B_API_KEY: this.options.apiKey,
      CUSTODIAL_B_LEM_API_KEY: this.options.entitiesKey,
      CUSTODIAL_B_HMAC_KEY: this.hmacKey,
      CUSTODIAL_B_BALANCE_PLATFORM: this.kept.balancePlatform,
      CUSTODIAL_B_BALANCE_ACCOUNT: this.kept.platformAccount,
      CUSTODIAL_B_BASE_URL: this.url,
      CUSTODIAL_B_LEM_BASE_URL: this.url,
    };
  }

  shown(): Omit<AdyenState, 'stored'> {
    const { stored: _, ...shown } = this.state;
    return shown;
  }

  /** An account holder of a payee, as it is after its owner was checked, with a balance account and a bank account. */
  hasHolder(changes: Partial<AdyenHolder> & Pick<AdyenHolder, 'id'>): AdyenHolder {
    const { entities, holders, accounts } = this.kept;
    const instruments = [{ id: numbered('SE'), number: 'DE89370400440532013000' }];
    const person = { firstName: 'Ada', lastName: 'Testperson', email: null, country: 'DE', instruments };
    const entity = { id: numbered('LE'), reference: null, ...person };
    const holder: AdyenHolder = {
      ...{ legalEntityId: entity.id, reference: null, status: 'active', standing: 'verified', reason: null },
      ...{ verifiedAt: null, capabilities: [...CAPABILITIES], ...changes },
    };
    entities.push(entity);
    holders.push(holder);
    accounts.push({ id: numbered('BA'), holderId: holder.id, reference: null, balances: {}, reserved: {} });
    this.save();
    return holder;
  }

  /** Of its owner, by whoever checks them; with all that they have to have for that. */
  becomes(holder: AdyenHolder, standing: AdyenHolder['standing'], reason: string | null = null): void {
    Object.assign(holder, { standing, reason, verifiedAt: null });
    const { instruments } = this.books.entity(holder.legalEntityId);
    if (standing === 'verified' && instruments.length === 0)
      instruments.push({ id: numbered('SE'), number: 'DE89370400440532013000' });
    this.save();
  }

  shuts(holder: AdyenHolder, status: AdyenHolder['status']): void {
    Object.assign(holder, { status });
    this.save();
  }

  /** Those that go out, with this reference or, of later rounds, one that begins with it. */
  transfersOf(railKey: string): AdyenTransfer[] {
    return this.state.transfers.filter(
      ({ reference, direction }) => direction === 'outgoing' && reference.replace(/\.[0-9]+$/, '') === railKey,
    );
  }

  banksOf(railKey: string): AdyenTransfer[] {
    return this.transfersOf(railKey).filter(({ category }) => category === 'bank');
  }

  destines(reference: string, fate: AdyenFate | null): void {
    if (fate) this.kept.fates[reference] = fate;
    else delete this.kept.fates[reference];
    this.save();
  }

  /** So many of its smallest units lie in the platform's account from now on; and so many that are reserved for something else. */
  fund(currency: string, units: number, reserved = 0): void {
    const account = this.books.account(PLATFORM.id);
    account.balances[currency] = units + reserved;
    if (reserved > 0) account.reserved[currency] = reserved;
    this.save();
  }

  /** As it tells what became of a transfer. */
  notice(transfer: AdyenTransfer): Notice {
    return this.signed(noticeBody(transfer, this.kept, this.options.clock.now()));
  }

  signed(said: object): Notice {
    return signed(said, this.hmacKey);
  }

  protected answer(request: SandboxRequest): SandboxAnswer {
    return onboardingPage(request, this.pages()) ?? this.api.answer(request);
  }

  private pages(): Parameters<typeof onboardingPage>[1] {
    const { clock, verifiedAfterMs = 0 } = this.options;
    return { state: this.kept, now: () => clock.now(), verifiedAfterMs };
  }

  protected catchUp(): void {
    this.books.catchUp(this.options.processedAfterMs ?? 0);
  }
}
