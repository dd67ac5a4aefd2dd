/** The calls of Adyen that the rail makes. A key that was used is answered as before; what has no key is done each time. */
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import { type AdyenBooks, type AdyenState, type AdyenTransfer, Denied, numbered } from './adyen-books';
import {
  accountBody,
  entityBody,
  holderBody,
  instrumentBody,
  plainAccount,
  problem,
  serviceError,
  transferBody,
  transferData,
} from './adyen-words';

interface Parts {
  state: AdyenState;
  books: AdyenBooks;
  apiKey: string;
  entitiesKey: string;
  now: () => Date;
  url: () => string;
  mostOnAPage: () => number;
  newLink: (entity: string, redirectUrl: string) => string;
  /** A mistake that was asked for: what it books of an amount. */
  misbook: (reference: string, units: number) => number;
}

interface Asked {
  id: string;
  body: Record<string, unknown>;
  query: URLSearchParams;
}

const KNOWN_AGAIN_MS = 7 * 86_400_000;
const MOST_LISTED_MS = 184 * 86_400_000;
const MOST_CHARACTERS = 64;

export class AdyenApi {
  private readonly calls: readonly [RegExp, (asked: Asked) => object][] = [
    [/^POST \/lem\/v4\/legalEntities$/, ({ body }) => this.newEntity(body)],
    [/^GET \/lem\/v4\/legalEntities\/([^/]+)$/, ({ id }) => entityBody(this.parts.books.entity(id))],
    [/^POST \/lem\/v4\/legalEntities\/([^/]+)\/onboardingLinks$/, (asked) => this.link(asked)],
    [/^GET \/lem\/v4\/transferInstruments\/([^/]+)$/, ({ id }) => this.instrument(id)],
    [/^POST \/bcl\/v2\/accountHolders$/, ({ body }) => this.newHolder(body)],
    [/^GET \/bcl\/v2\/accountHolders\/([^/]+)$/, ({ id }) => this.holder(id)],
    [/^GET \/bcl\/v2\/accountHolders\/([^/]+)\/balanceAccounts$/, (asked) => this.accounts(asked)],
    [/^GET \/bcl\/v2\/balancePlatforms\/([^/]+)\/accountHolders$/, (asked) => this.holders(asked)],
    [/^POST \/bcl\/v2\/balanceAccounts$/, ({ body }) => this.newAccount(body)],
    [/^GET \/bcl\/v2\/balanceAccounts\/([^/]+)$/, ({ id }) => accountBody(this.parts.books.account(id))],
    [/^POST \/btl\/v4\/transfers$/, ({ body }) => this.transfer(body)],
    [/^GET \/btl\/v4\/transfers$/, ({ query }) => this.transfers(query)],
  ];

  constructor(private readonly parts: Parts) {}

  answer(request: SandboxRequest): SandboxAnswer {
    const { headers, method, path } = request;
    const expected = path.startsWith('/lem/') ? this.parts.entitiesKey : this.parts.apiKey;
    if (headers['x-api-key'] !== expected) return refusal(request, 401, '000');
    const key = headers['idempotency-key'];
    if (method !== 'POST' || !path.startsWith('/btl/') || typeof key !== 'string') return this.work(request);
    return key.length > MOST_CHARACTERS ? refusal(request, 422, '702') : this.once(key, request);
  }

  private once(key: string, request: SandboxRequest): SandboxAnswer {
    const { state, now } = this.parts;
    const { [key]: stored } = state.stored;
    const asked = `${request.path} ${request.body}`;
    if (stored && now().getTime() - Date.parse(stored.at) < KNOWN_AGAIN_MS)
      return stored.asked === asked ? stored.answer : refusal(request, 422, '704');
    const answer = this.work(request);
    state.stored[key] = { asked, answer, at: now().toISOString() };
    return answer;
  }

  private work(request: SandboxRequest): SandboxAnswer {
    const called = `${request.method} ${request.path}`;
    for (const [pattern, work] of this.calls) {
      const [whole, id = ''] = pattern.exec(called) ?? [];
      if (whole === undefined) continue;
      const body = request.body === '' ? {} : (JSON.parse(request.body) as Record<string, unknown>);
      return done(request, () => work({ id: decodeURIComponent(id), body, query: request.query }));
    }
    return refusal(request, 422, '00_404');
  }

  private newEntity({ reference, individual }: Record<string, unknown>): object {
    const { name, email, residentialAddress } = individual as {
      name: { firstName: string; lastName: string };
      email?: string;
      residentialAddress: { country: string };
    };
    const entity = {
      ...{ id: numbered('LE'), reference: textOf(reference), ...name, email: email ?? null, instruments: [] },
      country: residentialAddress.country,
    };
    this.parts.state.entities.push(entity);
    return entityBody(entity);
  }

  private link({ id, body }: Asked): object {
    const token = this.parts.newLink(this.parts.books.entity(id).id, String(body.redirectUrl));
    return { url: `${this.parts.url()}/onboarding/${token}` };
  }

  private instrument(id: string): object {
    const { entity, instrument } = this.parts.books.instrument(id);
    return instrumentBody(entity, instrument);
  }

  private newHolder({ legalEntityId, reference, capabilities }: Record<string, unknown>): object {
    const { state, books } = this.parts;
    const names = Object.keys((capabilities ?? {}) as object);
    const holder = {
      ...{ id: numbered('AH'), legalEntityId: books.entity(String(legalEntityId)).id, reference: textOf(reference) },
      ...{ status: 'active' as const, standing: 'incomplete' as const, reason: null, verifiedAt: null },
      capabilities: names,
    };
    state.holders.push(holder);
    return holderBody(holder, state);
  }

  private holder(id: string): object {
    return holderBody(this.parts.books.holder(id), this.parts.state);
  }

  private holders({ id, query }: Asked): object {
    const { state } = this.parts;
    if (id !== state.balancePlatform) throw new Denied('30_002');
    const { page, hasNext, hasPrevious } = paged(state.holders, query);
    return { accountHolders: page.map((holder) => holderBody(holder, state)), hasNext, hasPrevious };
  }

  private newAccount({ accountHolderId, reference }: Record<string, unknown>): object {
    const holder = this.parts.books.holder(String(accountHolderId));
    const account = {
      id: numbered('BA'),
      holderId: holder.id,
      reference: textOf(reference),
      balances: {},
      reserved: {},
    };
    this.parts.state.accounts.push(account);
    return accountBody(account);
  }

  private accounts({ id, query }: Asked): object {
    const { state, books } = this.parts;
    const all = state.accounts.filter(({ holderId }) => holderId === books.holder(id).id);
    const { page, hasNext, hasPrevious } = paged(all, query);
    return { balanceAccounts: page.map(plainAccount), hasNext, hasPrevious };
  }

  private transfer(body: Record<string, unknown>): object {
    const { amount, counterparty } = body as Record<'amount' | 'counterparty', Record<string, unknown>>;
    const { state, books, misbook } = this.parts;
    const reference = textOf(body.reference) ?? numbered('');
    const category = body.category === 'bank' ? 'bank' : 'internal';
    if (category === 'bank' && typeof body.priority !== 'string') throw new Denied('29_001');
    const units = unitsOf(amount.value);
    const transfer = books.transfer({
      ...{ reference, category, account: String(body.balanceAccountId), currency: String(amount.currency) },
      ...{ counterparty: counterparty as AdyenTransfer['counterparty'], description: textOf(body.description) },
      units: body.balanceAccountId === state.platformAccount ? misbook(reference, units) : units,
    });
    return transferBody(transfer, state);
  }

  private transfers(query: URLSearchParams): object {
    const { state, url, mostOnAPage } = this.parts;
    const timeOf = (name: string): number => Date.parse(query.get(name) ?? '');
    const [since, until] = [timeOf('createdSince'), timeOf('createdUntil')];
    // Without one of them the difference is no number.
    if (!(until - since <= MOST_LISTED_MS)) throw new Denied('29_005');
    const isOfUs = query.get('balancePlatform') === state.balancePlatform;
    if (!isOfUs && !query.has('balanceAccountId')) throw new Denied('00_403', 403);
    const isAsked = (name: string, value: string): boolean => (query.get(name) ?? value) === value;
    const all = state.transfers.filter(({ createdAt, reference, account, category }) => {
      const at = Date.parse(createdAt);
      const isIt = isAsked('reference', reference) && isAsked('balanceAccountId', account);
      return at >= since && at <= until && isIt && isAsked('category', category);
    });
    if (query.get('sortOrder') === 'desc') all.reverse();
    const from = Number(query.get('cursor') ?? 0);
    const upTo = from + Math.min(Number(query.get('limit') ?? 10), mostOnAPage());
    const next = new URLSearchParams({ ...Object.fromEntries(query), cursor: String(upTo) });
    const href = `${url()}/btl/v4/transfers?${next.toString()}`;
    const data = all.slice(from, upTo).map((transfer) => transferData(transfer, state));
    return { data, ...(upTo < all.length ? { _links: { next: { href } } } : {}) };
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function unitsOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw new Denied('29_000');
  return value as number;
}

function done(request: SandboxRequest, work: () => object): SandboxAnswer {
  try {
    return { status: 200, body: work() };
  } catch (error) {
    if (error instanceof Denied) return refusal(request, error.status, error.code);
    throw error;
  }
}

/** Which of its two ways an API speaks of a problem depends on the API, and on the problem. */
const refusal = ({ method, path }: SandboxRequest, status: number, code: string): SandboxAnswer =>
  path.startsWith('/lem/') || (path === '/btl/v4/transfers' && method === 'POST' && status === 401)
    ? serviceError(status, code)
    : problem(status, code);

function paged<Each>(
  all: readonly Each[],
  query: URLSearchParams,
): { page: Each[]; hasNext: boolean; hasPrevious: boolean } {
  const from = Number(query.get('offset') ?? 0);
  const upTo = from + Number(query.get('limit') ?? 10);
  return { page: all.slice(from, upTo), hasNext: upTo < all.length, hasPrevious: from > 0 };
}
