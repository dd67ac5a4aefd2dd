/** A rail over HTTP: one table turns what the provider says into facts, and whatever it does not name is unknown. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { pid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type {
  AccountFact,
  Custody,
  ListsMovements,
  LookupFact,
  NoticeReading,
  ReadsAccounts,
  Rail,
  RailFunds,
  RailMovement,
  RailOrder,
  ReadsNotices,
  Refused,
  ReportsFunding,
  SubmitFact,
  Unknown,
} from '#libs/rail-kit';

export interface ProviderSettings {
  name: string;
  custody: Custody;
  baseUrl: string;
  unseenMs: number;
}

interface Told {
  status: 'refused' | 'processing' | 'claimed' | 'settled' | 'bounced';
  failure?: Refused['failure'];
  ref: string;
  amountCents: number;
  currency: string;
  settledAt: number | null;
  feeCents: number;
}
type Listed = Pick<Told, 'ref' | 'amountCents' | 'currency'> & { code: string; settledAt: number };

/** Anybody may know it: it guards no money. */
const NOTICE_SECRET = 'simulated';
/** Longer than the core waits: what it calls late is never cut off here. */
const LATE_MS = 30_000;
const NOT_THERE = 404;
const agent = new Agent({ headersTimeout: LATE_MS, bodyTimeout: LATE_MS });

export class ProviderRail implements Rail, ReadsAccounts, ReadsNotices, ListsMovements, ReportsFunding {
  readonly #settings: ProviderSettings;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  async submit(order: RailOrder): Promise<SubmitFact> {
    const { railKey, payoutId, amountCents, currency, payee, accountId } = order;
    const destination = accountId ?? payee.email;
    const body = { code: railKey, payout: payoutId, amountCents, currency, destination, payee: payee.externalId };
    const { status, json } = await this.#call('POST', '/payments', body);
    if (status !== 200) return { kind: 'unknown', detail: `the provider answered ${status}` };
    const fact = this.#factOf(json as Told);
    // That it came back is told by a look-up: to be asked to pay it once more, it says that it did.
    return fact.kind === 'bounced' ? this.#settled(json as Told) : (fact as SubmitFact);
  }

  /** What is not found may only not be visible yet: what is still missing after that time was not there when we asked. */
  async lookup({ railKey }: RailOrder): Promise<LookupFact> {
    const { unseenMs } = this.#settings;
    let { status, json } = await this.#call('GET', `/payments/${railKey}`);
    if (status === NOT_THERE && unseenMs > 0) {
      await pause(unseenMs + 500);
      ({ status, json } = await this.#call('GET', `/payments/${railKey}`));
    }
    if (status === NOT_THERE) return { kind: 'never_seen' };
    if (status !== 200) return { kind: 'unknown', detail: `the provider answered ${status}` };
    return this.#factOf(json as Told);
  }

  async readAccount(accountId: string): Promise<AccountFact> {
    const { json } = await this.#call('GET', `/accounts/${accountId}`);
    const { payable } = json as { payable: boolean };
    const known = { kind: 'account', kycReason: null, country: null } as const;
    if (payable) return { ...known, payable, kyc: 'verified', onboarding: 'complete' };
    return { ...known, payable, kyc: 'pending', onboarding: 'restricted' };
  }

  async readNotice({ headers, body }: { headers: Record<string, string>; body: Buffer }): Promise<NoticeReading> {
    const expected = createHmac('sha256', NOTICE_SECRET).update(body).digest();
    const given = Buffer.from(headers['x-provider-signature'] ?? '', 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'forged' };
    const { id, codes } = JSON.parse(body.toString('utf8')) as { id: string; codes: string[] };
    return { kind: 'hints', noticeId: id, railKeys: codes };
  }

  async movements(since: Date): Promise<RailMovement[]> {
    const { json } = await this.#call('GET', `/movements?since=${since.getTime()}`);
    return (json as Listed[]).map(({ code, ref, amountCents, currency, settledAt }) => ({
      ...{ railKey: code, providerRef: ref, amountCents, currency, movedAt: new Date(settledAt) },
    }));
  }

  async funding(): Promise<RailFunds[]> {
    return (await this.#call('GET', '/funds')).json as RailFunds[];
  }

  #factOf(told: Told): LookupFact {
    const { status, ref: providerRef, amountCents, currency, failure, feeCents } = told;
    const echo = { amountCents, currency };
    switch (status) {
      case 'refused':
        return { kind: 'refused', failure: failure ?? 'transient', reason: 'the provider says no' };
      case 'processing':
        return this.#underWay(providerRef, echo);
      case 'claimed':
        return { kind: 'claimed', providerRef, echo };
      case 'settled':
        return this.#settled(told);
      case 'bounced':
        return { kind: 'bounced', feeCents };
      default:
        return { kind: 'unknown', detail: `the provider says '${String(status)}'` } satisfies Unknown;
    }
  }

  #settled({ ref: providerRef, amountCents, currency, settledAt }: Told): SubmitFact {
    const at = settledAt === null ? null : new Date(settledAt);
    return { kind: 'settled', providerRef, settledAt: at, echo: { amountCents, currency } };
  }

  #underWay(providerRef: string, echo: { amountCents: number; currency: string }): SubmitFact {
    if (this.#settings.custody === 'custodial') return { kind: 'accepted', providerRef, echo };
    return { kind: 'awaiting_payee', providerRef, claimUrl: `https://provider.example/claim/${providerRef}`, echo };
  }

  /** Throws if there is no answer, or none that can be read: the core then counts the outcome as unknown. */
  async #call(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; json: unknown }> {
    const { baseUrl, name } = this.#settings;
    const { statusCode, body: answer } = await request(`${baseUrl}/${name}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-caller': String(pid) },
      body: body ? JSON.stringify(body) : null,
      dispatcher: agent,
    });
    const text = await answer.text();
    return { status: statusCode, json: statusCode === 200 ? JSON.parse(text) : null };
  }
}
