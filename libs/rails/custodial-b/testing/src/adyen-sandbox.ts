/** Adyen for Platforms, simulated: real HTTP on loopback, real balances, and whatever goes wrong on request. */
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

export interface AdyenSandboxOptions {
  /** Of the balance platform, and of legal entities. */
  apiKey: string;
  entitiesKey: string;
  clock: Clock;
  /** What its notices are signed with, in hex. */
  hmacKey?: string;
  /** Where its notices go; nowhere if nothing is said. */
  noticesUrl?: string | null;
  /** How long a bank looks at a transfer before it is booked, and again before it is credited. */
  processedAfterMs?: number;
  /** How long it takes to check somebody. */
  verifiedAfterMs?: number;
  /** Smallest units that lie in the platform's own account. */
  balances?: Record<string, number>;
  /** Where the books are kept; in memory if nothing is said. */
  file?: string | null;
  watch?(request: SandboxRequest, answer: SandboxAnswer): void;
}

/** What time does is done though nobody asks. */
const LOOKS_EVERY_MS = 250;

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

export class AdyenSandbox implements SimulatedProvider {
  readonly faults: Faults;
  readonly books: AdyenBooks;
  readonly deeds: SimulatedProvider['deeds'];
  private readonly disk: DiskBooks<AdyenState>;
  private readonly server: SandboxServer;
  private readonly notices: NoticeSender;
  private readonly hmacKey: string;
  private readonly misbooked = new Map<string, number>();
  private url = '';
  private looking?: NodeJS.Timeout;

  constructor(private readonly options: AdyenSandboxOptions) {
    const { apiKey, entitiesKey, clock, balances = { USD: 10_000_000, EUR: 10_000_000 } } = options;
    this.hmacKey = options.hmacKey ?? 'AB'.repeat(32);
    this.disk = diskBooks<AdyenState>(emptyBooks(balances, options.noticesUrl ?? null), options.file ?? null);
    this.books = new AdyenBooks(
      this.disk.state,
      () => clock.now(),
      (transfer) => this.tell(transfer),
    );
    this.deeds = deedsAt(this);
    const api = new AdyenApi({
      ...{ state: this.disk.state, books: this.books, apiKey, entitiesKey, url: () => this.url },
      now: () => clock.now(),
      newLink: (entity, redirectUrl) => newLink(this.pages(), entity, redirectUrl),
      misbook: (reference, units) => units + (this.misbooked.get(reference) ?? 0),
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
      CUSTODIAL_B_API_KEY: this.options.apiKey,
      CUSTODIAL_B_LEM_API_KEY: this.options.entitiesKey,
      CUSTODIAL_B_HMAC_KEY: this.hmacKey,
      CUSTODIAL_B_BALANCE_PLATFORM: this.disk.state.balancePlatform,
      CUSTODIAL_B_BALANCE_ACCOUNT: this.disk.state.platformAccount,
      CUSTODIAL_B_BASE_URL: this.url,
      CUSTODIAL_B_LEM_BASE_URL: this.url,
    };
  }

  shown(): Omit<AdyenState, 'stored'> {
    const { stored: _, ...shown } = this.state;
    return shown;
  }

  get state(): AdyenState {
    this.catchUp();
    return this.disk.state;
  }

  /** An account holder of a payee, as it is after its owner was checked, with a balance account and a bank account. */
  hasHolder(changes: Partial<AdyenHolder> & Pick<AdyenHolder, 'id'>): AdyenHolder {
    const { entities, holders, accounts } = this.disk.state;
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
    this.disk.save();
    return holder;
  }

  /** Of its owner, by whoever checks them; with all that they have to have for that. */
  becomes(holder: AdyenHolder, standing: AdyenHolder['standing'], reason: string | null = null): void {
    Object.assign(holder, { standing, reason, verifiedAt: null });
    const { instruments } = this.books.entity(holder.legalEntityId);
    if (standing === 'verified' && instruments.length === 0)
      instruments.push({ id: numbered('SE'), number: 'DE89370400440532013000' });
    this.disk.save();
  }

  shuts(holder: AdyenHolder, status: AdyenHolder['status']): void {
    Object.assign(holder, { status });
    this.disk.save();
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
    if (fate) this.disk.state.fates[reference] = fate;
    else delete this.disk.state.fates[reference];
    this.disk.save();
  }

  /** So many of its smallest units lie in the platform's account from now on. */
  fund(currency: string, units: number): void {
    this.books.account(PLATFORM.id).balances[currency] = units;
    this.disk.save();
  }

  /** Books so much more, or less, than it is asked to. */
  misbooks(reference: string, units: number): void {
    this.misbooked.set(reference, units);
  }

  tellsAt(url: string | null): void {
    this.disk.state.noticesUrl = url;
    this.disk.save();
  }

  /** As it tells what became of a transfer. */
  notice(transfer: AdyenTransfer): Notice {
    return this.signed(noticeBody(transfer, this.disk.state, this.options.clock.now()));
  }

  signed(said: object): Notice {
    return signed(said, this.hmacKey);
  }

  private answer(request: SandboxRequest, api: AdyenApi): SandboxAnswer {
    this.catchUp();
    const answer = onboardingPage(request, this.pages()) ?? api.answer(request);
    if (request.method !== 'GET' || answer.html !== undefined) this.disk.save();
    return answer;
  }

  private pages(): Parameters<typeof onboardingPage>[1] {
    const { clock, verifiedAfterMs = 0 } = this.options;
    return { state: this.disk.state, now: () => clock.now(), verifiedAfterMs };
  }

  private catchUp(): void {
    this.books.catchUp(this.options.processedAfterMs ?? 0);
  }

  private tell(transfer: AdyenTransfer): void {
    this.disk.save();
    this.notices.tell(this.disk.state.noticesUrl, this.notice(transfer));
  }
}
