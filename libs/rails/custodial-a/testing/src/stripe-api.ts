/** The calls of Stripe that the rail makes. A key that was used is answered as before, with the refusal that it got as well. */
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import { Denied, numbered, type StripeBooks, type StripeState } from './stripe-books';
import {
  accountBody,
  balanceBody,
  decodedForm,
  linkBody,
  listOf,
  paidEvent,
  payoutBody,
  platformBody,
  problem,
  reversedEvent,
  transferBody,
} from './stripe-words';

interface Parts {
  state: StripeState;
  books: StripeBooks;
  secretKey: string;
  now: () => Date;
  url: () => string;
  mostOnAPage: () => number;
  /** A mistake that was asked for: what it books of an amount. */
  misbook: (group: string, units: number) => number;
}

interface Asked {
  id: string;
  /** The connected account that the call is made for. */
  account: string | null;
  form: Record<string, unknown>;
  query: URLSearchParams;
}

const KNOWN_AGAIN_MS = 86_400_000;
const EVENTS_KEPT_MS = 30 * 86_400_000;

export class StripeApi {
  private readonly calls: readonly [RegExp, (asked: Asked) => object][] = [
    [/^POST \/v1\/transfers$/, (asked) => this.transfer(asked)],
    [/^GET \/v1\/transfers$/, (asked) => this.transfers(asked)],
    [/^POST \/v1\/transfers\/([^/]+)\/reversals$/, (asked) => this.reverse(asked)],
    [/^POST \/v1\/payouts$/, (asked) => this.payOut(asked)],
    [/^GET \/v1\/payouts$/, (asked) => this.payouts(asked)],
    [/^GET \/v1\/events$/, (asked) => this.events(asked)],
    [/^GET \/v1\/balance$/, ({ account }) => this.balance(account)],
    [/^GET \/v1\/account$/, () => platformBody(this.parts.state)],
    [/^POST \/v1\/accounts$/, (asked) => this.open(asked)],
    [/^GET \/v1\/accounts$/, (asked) => this.accounts(asked)],
    [/^POST \/v1\/account_links$/, ({ form }) => this.link(form)],
    [/^GET \/v1\/accounts\/([^/]+)$/, ({ id }) => accountBody(this.parts.books.account(id))],
  ];

  constructor(private readonly parts: Parts) {}

  answer(request: SandboxRequest): SandboxAnswer {
    const { headers, method } = request;
    if (headers.authorization !== `Bearer ${this.parts.secretKey}`) return problem(401, 'api_key_expired');
    const key = headers['idempotency-key'];
    return method === 'POST' && typeof key === 'string' ? this.once(key, request) : this.work(request);
  }

  private once(key: string, request: SandboxRequest): SandboxAnswer {
    const { state, now } = this.parts;
    const { [key]: stored } = state.stored;
    const asked = `${accountOf(request) ?? ''} ${request.path} ${request.body}`;
    if (stored && now().getTime() - Date.parse(stored.at) < KNOWN_AGAIN_MS)
      return stored.asked === asked ? stored.answer : problem(400, 'idempotency_error');
    const answer = this.work(request);
    state.stored[key] = { asked, answer, at: now().toISOString() };
    return answer;
  }

  private work(request: SandboxRequest): SandboxAnswer {
    const called = `${request.method} ${request.path}`;
    for (const [pattern, work] of this.calls) {
      const [whole, id = ''] = pattern.exec(called) ?? [];
      if (whole !== undefined) return this.done(() => work(askedOf(request, id)));
    }
    return problem(404, 'resource_missing');
  }

  private done(work: () => object): SandboxAnswer {
    try {
      return { status: 200, body: work() };
    } catch (error) {
      if (error instanceof Denied) return problem(error.status, error.code);
      throw error;
    }
  }

  private open({ form }: Asked): object {
    const settings = (form.settings ?? {}) as { payouts?: { schedule?: { interval?: string } } };
    const account = this.parts.books.open({
      country: String(form.country),
      interval: settings.payouts?.schedule?.interval === 'manual' ? 'manual' : 'daily',
      metadata: (form.metadata ?? {}) as Record<string, string>,
    });
    return accountBody(account);
  }

  private accounts({ query }: Asked): object {
    const found = this.parts.state.accounts.filter(({ createdAt }) => isWithin(createdAt, query));
    return this.paged(found.map(accountBody).reverse(), query, '/v1/accounts');
  }

  private link({ account, return_url, refresh_url }: Record<string, unknown>): object {
    const urls = { returnUrl: String(return_url), refreshUrl: String(refresh_url) };
    return linkBody(this.parts.books.link(String(account), urls), this.parts.now(), this.parts.url());
  }

  private transfer({ form }: Asked): object {
    const group = String(form.transfer_group ?? '');
    return transferBody(
      this.parts.books.transfer({
        ...{ destination: String(form.destination), currency: String(form.currency), group },
        units: this.parts.misbook(group, unitsOf(form.amount)),
        metadata: (form.metadata ?? {}) as Record<string, string>,
      }),
    );
  }

  private transfers({ query }: Asked): object {
    const group = query.get('transfer_group');
    const found = this.parts.state.transfers.filter(
      (transfer) => (group === null || transfer.group === group) && isWithin(transfer.createdAt, query),
    );
    return this.paged(found.map(transferBody).reverse(), query, '/v1/transfers');
  }

  private reverse({ id, form }: Asked): object {
    const { state, books, now } = this.parts;
    const asked = form.amount === undefined ? null : unitsOf(form.amount);
    const before = state.transfers.find((transfer) => transfer.id === id)?.reversedUnits ?? 0;
    const { currency, reversedUnits } = books.reverse(id, asked);
    return {
      ...{ object: 'transfer_reversal', id: numbered('trr'), amount: reversedUnits - before, currency, transfer: id },
      ...{ created: Math.floor(now().getTime() / 1000), metadata: form.metadata ?? {} },
    };
  }

  private payOut({ account, form }: Asked): object {
    if (account === null) throw new Denied('parameter_missing');
    return payoutBody(
      this.parts.books.payOut({
        ...{ account, units: unitsOf(form.amount), currency: String(form.currency) },
        descriptor: typeof form.statement_descriptor === 'string' ? form.statement_descriptor : null,
        metadata: (form.metadata ?? {}) as Record<string, string>,
      }),
    );
  }

  private payouts({ account, query }: Asked): object {
    const found = this.parts.state.payouts.filter(
      (payout) => payout.account === account && isWithin(payout.createdAt, query),
    );
    return this.paged(found.map(payoutBody).reverse(), query, '/v1/payouts');
  }

  private events({ account, query }: Asked): object {
    const { payouts, reversals } = this.parts.state;
    if (account === null && query.get('type') === 'transfer.reversed')
      return this.paged(
        reversals
          .filter(({ at }) => isWithin(at, query) && this.isKept(at))
          .map(reversedEvent)
          .reverse(),
        query,
        '/v1/events',
      );
    const paid = payouts.filter(
      (payout) => payout.account === account && payout.paidAt !== null && isWithin(payout.paidAt, query),
    );
    return this.paged(paid.map(paidEvent).reverse(), query, '/v1/events');
  }

  private paged(all: object[], query: URLSearchParams, url: string): object {
    const after = query.get('starting_after');
    const from = after === null ? 0 : all.findIndex((each) => (each as { id?: string }).id === after) + 1;
    const limit = Math.min(Number(query.get('limit') ?? 10), this.parts.mostOnAPage());
    return listOf(all.slice(from, from + limit), url, all.length > from + limit);
  }

  private isKept(at: string): boolean {
    return this.parts.now().getTime() - Date.parse(at) < EVENTS_KEPT_MS;
  }

  private balance(account: string | null): object {
    const { state, books } = this.parts;
    return account === null ? balanceBody(state.balances, state.pending) : balanceBody(books.account(account).balances);
  }
}

const accountOf = ({ headers }: SandboxRequest): string | null => {
  const { 'stripe-account': account } = headers;
  return typeof account === 'string' ? account : null;
};

const askedOf = (request: SandboxRequest, id: string): Asked => ({
  ...{ id, account: accountOf(request), query: request.query },
  form: decodedForm(request.body),
});

/** Stripe counts in seconds. */
function isWithin(at: string, query: URLSearchParams): boolean {
  const second = Math.floor(Date.parse(at) / 1000);
  const until = query.get('created[lte]');
  return second >= Number(query.get('created[gte]') ?? 0) && (until === null || second <= Number(until));
}

function unitsOf(amount: unknown): number {
  if (typeof amount !== 'string' || !/^[1-9][0-9]{0,14}$/.test(amount)) throw new Denied('parameter_invalid_integer');
  return Number(amount);
}
