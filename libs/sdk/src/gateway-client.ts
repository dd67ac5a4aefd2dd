/** The API for callers, route by route. Lists are walked through by `for await`; `page` asks for one page of them. */
import type {
  AdoptMethodBody,
  AdvanceClockBody,
  ClaimPayoutBody,
  CreateBatchBody,
  CreatePayoutBody,
  FailPayoutBody,
  ListDisbursementsQuery,
  ListEventsQuery,
  ListPayeesQuery,
  ListPayoutsQuery,
  OnboardingLinkBody,
  OverlapBody,
  PushItem,
  RecoveryLinkBody,
  ReturnPayoutBody,
  Routes,
  TestOnboardingBody,
  UpsertPayeeBody,
  WebhookBody,
} from './api-types';
import { type Answer, Connection, type ConnectionOptions } from './connection';
import { queryText, walk } from './pages';
import { REPEATS, type Route } from './repeats';

export type GatewayClientOptions = ConnectionOptions;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Sent<R extends Route> = (Routes[R] extends { body: infer B } ? { body: B } : { body?: undefined }) &
  (Routes[R] extends { query: infer Q } ? { query?: Q } : { query?: undefined }) &
  (R extends `${string}{id}${string}` ? { id: string } : { id?: undefined });
type PayeeFilter = Omit<ListPayeesQuery, 'payable'> & { payable?: boolean };
type Answered<R extends Route> = Promise<Routes[R]['answer']>;

export class GatewayClient {
  private readonly connection: Connection;

  constructor(options: GatewayClientOptions) {
    this.connection = new Connection(options);
  }

  readonly payees = {
    /** Makes a payee, or changes the one with this externalId: an absent field stays, and null clears it. */
    upsert: (body: UpsertPayeeBody) => this.ask('POST /payees', { body }),
    get: (id: string) => this.ask('GET /payees/{id}', { id }),
    list: (query: Omit<PayeeFilter, 'cursor'> = {}) => walk((cursor) => this.payees.page({ ...query, cursor })),
    page: ({ payable, ...query }: PayeeFilter = {}) =>
      this.ask('GET /payees', { query: { ...query, payable: payable === undefined ? undefined : String(payable) } }),
    /** Whether the payee can be paid right now, and what is in the way. */
    readiness: (id: string) => this.ask('GET /payees/{id}/readiness', { id }),
    /** The payee's balance; without a currency, in that of the newest movement. */
    balance: (id: string, currency?: string) => this.ask('GET /payees/{id}/balance', { id, query: { currency } }),
    /** A page on which the payee gets ready to be paid; the link works for 15 minutes. */
    onboardingLink: (id: string, body: OnboardingLinkBody) =>
      this.ask('POST /payees/{id}/onboarding-link', { id, body }),
    /** Mails the payee a link into their wallet: three in ten minutes are the most. */
    portalLink: (id: string) => this.ask('POST /payees/{id}/portal-link', { id }),
    /** Links an account that the rail has verified already. */
    adoptMethod: (id: string, body: AdoptMethodBody) => this.ask('POST /payees/{id}/methods', { id, body }),
    /** Releases everything the payee is owed. Asked once: see `mayHaveHappened` of what it throws. */
    withdraw: (id: string) => this.ask('POST /payees/{id}/withdraw', { id }),
  };

  readonly payouts = {
    /** The same idempotencyKey answers the same payout, as it is by now. */
    create: (body: CreatePayoutBody) => this.ask('POST /payouts', { body }),
    /** Each row answers for itself; sent again, rows that were paid are answered, and new ones paid. */
    batch: (body: CreateBatchBody) => this.ask('POST /payouts/batch', { body }),
    get: (id: string) => this.ask('GET /payouts/{id}', { id }),
    /** By cursor2, which skips nothing. `status` takes words of version 1, whatever the client's version. */
    list: (query: Omit<ListPayoutsQuery, 'cursor' | 'cursor2'> = {}) =>
      walk((cursor2) => this.payouts.page({ ...query, cursor2 })),
    page: (query: ListPayoutsQuery = {}) => this.ask('GET /payouts', { query }),
    /** Asked once: see `mayHaveHappened` of what it throws. */
    retry: (id: string) => this.ask('POST /payouts/{id}/retry', { id }),
    /** Asked once: see `mayHaveHappened` of what it throws. */
    release: (id: string) => this.ask('POST /payouts/{id}/release', { id }),
    /** Takes back what has not left; repeated, it answers the same. */
    cancel: (id: string) => this.ask('POST /payouts/{id}/cancel', { id }),
  };

  readonly disbursements = {
    /** Each row answers for itself; the same externalRef answers the same row, as it is by now. */
    push: (items: PushItem[], options: { sendEmail?: boolean } = {}) =>
      this.ask('POST /disbursements', { body: { items, ...options } }),
    get: (id: string) => this.ask('GET /disbursements/{id}', { id }),
    list: (query: Omit<ListDisbursementsQuery, 'cursor'> = {}) =>
      walk((cursor) => this.disbursements.page({ ...query, cursor })),
    page: (query: ListDisbursementsQuery = {}) => this.ask('GET /disbursements', { query }),
    /** Attaches rows of a failed payout to the payout that moved the money after all. */
    linkRecovery: (body: RecoveryLinkBody) => this.ask('POST /disbursements/recovery-link', { body }),
  };

  readonly events = {
    get: (id: string) => this.ask('GET /events/{id}', { id }),
    list: (query: Omit<ListEventsQuery, 'cursor'> = {}) => walk((cursor) => this.events.page({ ...query, cursor })),
    page: (query: ListEventsQuery = {}) => this.ask('GET /events', { query }),
    /** Sends it once more, under its old eventId. */
    replay: (id: string) => this.ask('POST /events/{id}/replay', { id }),
  };

  readonly wallet = {
    /** How much a prepaid client has left, by currency. */
    read: () => this.ask('GET /wallet', {}),
  };

  readonly webhook = {
    read: () => this.ask('GET /webhook', {}),
    set: (body: WebhookBody) => this.ask('PUT /webhook', { body }),
    /** Sends a signed event of the type `ping` there, and says what came back. */
    test: () => this.ask('POST /webhook-test', {}),
  };

  readonly keys = {
    list: () => this.ask('GET /keys', {}),
    /** The new key is in the answer, this once. */
    rotate: (body: OverlapBody = {}) => this.ask('POST /keys', { body }),
    revoke: (id: string) => this.ask('DELETE /keys/{id}', { id }),
  };

  /** Clients in test mode only; others are answered 404. */
  readonly test = {
    finishOnboarding: (payeeId: string, body: TestOnboardingBody) =>
      this.ask('POST /test/payees/{id}/onboarding', { id: payeeId, body }),
    claim: (payoutId: string, body: ClaimPayoutBody = {}) =>
      this.ask('POST /test/payouts/{id}/claim', { id: payoutId, body }),
    settle: (payoutId: string) => this.ask('POST /test/payouts/{id}/settle', { id: payoutId }),
    fail: (payoutId: string, body: FailPayoutBody) => this.ask('POST /test/payouts/{id}/fail', { id: payoutId, body }),
    return: (payoutId: string, body: ReturnPayoutBody = {}) =>
      this.ask('POST /test/payouts/{id}/return', { id: payoutId, body }),
    /** Everything of this client becomes as old as if the time had passed. */
    advanceClock: (body: AdvanceClockBody) => this.ask('POST /test/clock', { body }),
  };

  /** Any other call: `path` is what follows /api/v1. Only reads are repeated whatever happened to the first try. */
  request<T = unknown>(method: Method, path: string, body?: unknown): Promise<Answer<T>> {
    return this.connection.call<T>({ method, path, body, repeat: method === 'GET' ? 'keyed' : 'unbegun' });
  }

  private async ask<R extends Route>(route: R, { id, query, body }: Sent<R>): Answered<R> {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern.replace('{id}', () => encodeURIComponent(idIn(id))) + queryText(query ?? {});
    const answer = await this.connection.call<Routes[R]['answer']>({ method, path, body, repeat: REPEATS[route] });
    return answer.body;
  }
}

/** An id that is missing would ask for the list, and one of dots for something else: a URL takes `..` away. */
function idIn(id: unknown): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`This is no id: ${String(id)}`);
  return id;
}
