/**
 * The API for callers. Each try is signed anew; a try that got no answer, 408 or 503, is repeated if repeating it cannot do
 * a thing twice: reads, payees (keyed by externalId), payouts (keyed by idempotencyKey), owed rows (keyed by externalRef)
 * and recovery links.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError } from './gateway-error';
import type {
  Balance,
  Disbursement,
  DisbursementInput,
  DisbursementQuery,
  Page,
  Payee,
  OnboardingLink,
  OnboardingLinkInput,
  PortalLink,
  PayeeInput,
  PayeeQuery,
  Payout,
  PayoutDetail,
  PayoutInput,
  PayoutPage,
  PayoutQuery,
  PushedRow,
  Readiness,
  RecoveryLink,
  Withdrawal,
} from './resources';
import { type Credentials, signRequest } from './sign-request';

export interface GatewayClientOptions extends Credentials {
  /** Where the gateway is, such as `https://payouts.example.com`. */
  baseUrl: string;
  /** Of one try. */
  timeoutMs?: number;
  /** Tries in all. */
  tries?: number;
  /** Before the second try; doubles from there. */
  firstPauseMs?: number;
}

export interface Answer<T> {
  status: number;
  body: T;
}

type Method = 'GET' | 'POST';

const DEFAULTS = { timeoutMs: 30_000, tries: 4, firstPauseMs: 250 };
const PREFIX = '/api/v1';

export class GatewayClient {
  private readonly options: Required<GatewayClientOptions>;

  constructor(options: GatewayClientOptions) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    this.options = { ...DEFAULTS, ...(given as typeof options), baseUrl: options.baseUrl.replace(/\/+$/, '') };
  }

  readonly payees = {
    /** Makes a payee, or changes the one with this externalId. */
    upsert: (input: PayeeInput): Promise<Payee> => this.repeatable('POST', '/payees', input),
    list: (query: PayeeQuery = {}): Promise<Page<Payee>> => this.repeatable('GET', `/payees${queryOf(query)}`),
    get: (id: string): Promise<Payee> => this.repeatable('GET', `/payees/${segment(id)}`),
    /** Whether the payee can be paid right now, and what is in the way. */
    readiness: (id: string): Promise<Readiness> => this.repeatable('GET', `/payees/${segment(id)}/readiness`),
    /** A page on which the payee gets ready to be paid; the link works for 15 minutes. */
    onboardingLink: (id: string, input: OnboardingLinkInput): Promise<OnboardingLink> =>
      this.repeatable('POST', `/payees/${segment(id)}/onboarding-link`, input),
    /** Mails the payee a link into their wallet: three in ten minutes are the most. */
    portalLink: (id: string): Promise<PortalLink> => this.once('POST', `/payees/${segment(id)}/portal-link`),
    /** What the payee's money comes to; without a currency, in that of the newest movement. */
    balance: (id: string, currency?: string): Promise<Balance> =>
      this.repeatable('GET', `/payees/${segment(id)}/balance${queryOf({ currency })}`),
    /** Releases everything the payee is owed. */
    withdraw: (id: string): Promise<Withdrawal> => this.once('POST', `/payees/${segment(id)}/withdraw`),
  };

  readonly disbursements = {
    /** Each row answers for itself; the same externalRef answers the same row, as it is by now. */
    push: (items: DisbursementInput[], options: { sendEmail?: boolean } = {}): Promise<{ results: PushedRow[] }> =>
      this.repeatable('POST', '/disbursements', { items, ...options }),
    list: (query: DisbursementQuery = {}): Promise<Page<Disbursement>> =>
      this.repeatable('GET', `/disbursements${queryOf(query)}`),
    get: (id: string): Promise<Disbursement> => this.repeatable('GET', `/disbursements/${segment(id)}`),
    /** Attaches rows of a failed payout to the payout that moved the money after all. */
    linkRecovery: (replacementTransactionId: string, disbursementIds: string[]): Promise<RecoveryLink> =>
      this.repeatable('POST', '/disbursements/recovery-link', { replacementTransactionId, disbursementIds }),
  };

  readonly payouts = {
    /** The same idempotencyKey answers the same payout, as it is by now. */
    create: (input: PayoutInput): Promise<Payout> => this.repeatable('POST', '/payouts', input),
    list: (query: PayoutQuery = {}): Promise<PayoutPage> => this.repeatable('GET', `/payouts${queryOf(query)}`),
    get: (id: string): Promise<PayoutDetail> => this.repeatable('GET', `/payouts/${segment(id)}`),
    retry: (id: string): Promise<Payout> => this.once('POST', `/payouts/${segment(id)}/retry`),
    release: (id: string): Promise<Payout> => this.once('POST', `/payouts/${segment(id)}/release`),
    /** Takes back what has not left; repeated, it answers the same. */
    cancel: (id: string): Promise<Payout> => this.repeatable('POST', `/payouts/${segment(id)}/cancel`),
  };

  /** Any other call: `path` is what follows /api/v1. Only reads are repeated. Throws GatewayError on a refusal. */
  async request<T = unknown>(method: Method, path: string, body?: unknown): Promise<Answer<T>> {
    return this.send<T>(method, path, body, method === 'GET' ? this.options.tries : 1);
  }

  private async repeatable<T>(method: Method, path: string, body?: unknown): Promise<T> {
    return (await this.send<T>(method, path, body, this.options.tries)).body;
  }

  private async once<T>(method: Method, path: string): Promise<T> {
    return (await this.send<T>(method, path, undefined, 1)).body;
  }

  private async send<T>(method: Method, path: string, body: unknown, tries: number): Promise<Answer<T>> {
    for (let turn = 1; ; turn += 1) {
      try {
        return await this.tryOnce<T>(method, path, body);
      } catch (error) {
        const answered = error instanceof GatewayError && !NOTHING_DONE.has(error.status);
        if (answered || turn >= tries) throw error;
        await pause(this.options.firstPauseMs * 2 ** (turn - 1));
      }
    }
  }

  private async tryOnce<T>(method: Method, path: string, body: unknown): Promise<Answer<T>> {
    const url = new URL(`${this.options.baseUrl}${PREFIX}${path}`);
    const text = body === undefined ? '' : JSON.stringify(body);
    const signed = signRequest(this.options, { method, target: `${url.pathname}${url.search}`, body: text });
    const response = await fetch(url, {
      method,
      headers: body === undefined ? signed : { ...signed, 'content-type': 'application/json' },
      body: body === undefined ? undefined : text,
      redirect: 'manual', // a signature is for one place
      signal: AbortSignal.timeout(this.options.timeoutMs),
    });
    const { status, headers } = response;
    const answer = { status, body: readable(await response.text()), requestId: headers.get('x-request-id') };
    if (!response.ok || answer.body === null) throw new GatewayError(answer);
    return { status, body: answer.body as T };
  }
}

/** Not now, or not all of it arrived in time: a process that slept says so of a request that it never read. */
const NOTHING_DONE = new Set([408, 503]);

/** null if it is no JSON: then it was not the gateway that answered. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const segment = (id: string): string => encodeURIComponent(id);

function queryOf(query: object): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size > 0 ? `?${given.toString()}` : '';
}
