/** The calls of Tremendous that the rail makes, and those that its operator would: orders, rewards, funding sources, webhooks. */
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import type { NewOrder, TremendousBooks, TremendousOrder, TremendousState } from './tremendous-books';
import { balanceBody, hundredthsOf, orderBody, problem, rewardBody } from './tremendous-words';

export const API = '/api/v2';

interface Parts {
  state: TremendousState;
  books: TremendousBooks;
  apiKey: string;
  webhookKey: string;
  url: () => string;
  tellsAt: (url: string) => void;
  /** A mistake that was asked for: what it books of an amount. */
  misbook: (externalId: string, hundredths: number) => number;
}

interface AskedOrder {
  external_id?: unknown;
  payment?: { funding_source_id?: unknown };
  reward?: {
    campaign_id?: unknown;
    value?: { denomination?: unknown; currency_code?: unknown };
    recipient?: { name?: unknown; email?: unknown };
    delivery?: { method?: unknown; meta?: { sender_name?: unknown } };
  };
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const WHOLE = new Set(['JPY', 'KRW']);
const EVENTS = ['ORDERS.CREATED', 'ORDERS.APPROVED', 'ORDERS.CANCELED', 'ORDERS.FAILED', 'REWARDS.CANCELED'];
const UNKNOWN = problem(404, 'No resource could be found for the provided ID');

export class TremendousApi {
  private readonly calls: readonly [RegExp, (id: string, request: SandboxRequest) => SandboxAnswer][] = [
    [/^POST \/orders$/, (_, { body }) => this.create(JSON.parse(body) as AskedOrder, body)],
    [/^GET \/orders$/, (_, { query }) => this.list(query.get('external_id'))],
    [/^GET \/orders\/([^/]+)$/, (id) => this.found(id)],
    [/^GET \/rewards\/([^/]+)$/, (id) => this.reward(id)],
    [/^POST \/rewards\/([^/]+)\/generate_link$/, (id) => this.link(id)],
    [/^POST \/rewards\/([^/]+)\/cancel$/, (id) => this.cancel(id)],
    [/^GET \/funding_sources$/, () => ({ status: 200, body: { funding_sources: [balanceBody(this.parts.state)] } })],
    [/^GET \/funding_sources\/([^/]+)$/, (id) => this.fundingSource(id)],
    [/^POST \/webhooks$/, (_, { body }) => this.hook(JSON.parse(body) as { url?: unknown })],
    [/^GET \/webhooks$/, () => ({ status: 200, body: { webhooks: this.hooks() } })],
    [/^GET \/webhooks\/([^/]+)\/events$/, () => ({ status: 200, body: { events: EVENTS } })],
  ];

  constructor(private readonly parts: Parts) {}

  answer(request: SandboxRequest): SandboxAnswer {
    if (request.headers.authorization !== `Bearer ${this.parts.apiKey}`) return problem(401, 'Unauthorized');
    if (!request.path.startsWith(API)) return UNKNOWN;
    const called = `${request.method} ${request.path.slice(API.length)}`;
    for (const [pattern, work] of this.calls) {
      const [whole, id = ''] = pattern.exec(called) ?? [];
      if (whole !== undefined) return work(decodeURIComponent(id), request);
    }
    return UNKNOWN;
  }

  /** The same again under a used `external_id` is the order of before; something else under it is a conflict. */
  private create(asked: AskedOrder, text: string): SandboxAnswer {
    const { books } = this.parts;
    const name = typeof asked.external_id === 'string' ? asked.external_id : null;
    const before = name === null ? undefined : books.named(name);
    if (before && before.asked !== text) return problem(409, 'external_id was used with other parameters');
    if (before) return { status: 201, body: { order: this.told(before) } };
    const wrong = this.complaintAbout(asked);
    if (wrong !== null) return problem(422, 'Invalid inputs', wrong);
    const order = books.take(this.orderOf(asked, name, text));
    return order
      ? { status: 200, body: { order: this.told(order) } }
      : problem(402, 'Not enough funds to carry out this operation');
  }

  private complaintAbout({ payment = {}, reward = {} }: AskedOrder): object | null {
    const { state } = this.parts;
    const { campaign_id: campaign, recipient = {}, delivery = {}, value = {} } = reward;
    if (!['BALANCE', 'balance', state.balanceId].includes(String(payment.funding_source_id)))
      return { payment: { funding_source_id: 'is unknown' } };
    if (!state.campaigns.includes(String(campaign))) return { reward: { campaign_id: 'is unknown' } };
    if (typeof recipient.email !== 'string' || !EMAIL.test(recipient.email))
      return { reward: { recipient: { email: 'is invalid' } } };
    if (delivery.method !== 'LINK') return { reward: { delivery: { method: 'only links are simulated' } } };
    return this.isPayable(value) ? null : { reward: { value: { denomination: 'is invalid' } } };
  }

  private isPayable({ denomination, currency_code: currency }: { denomination?: unknown; currency_code?: unknown }) {
    const hundredths = hundredthsOf(denomination);
    const isWhole = !WHOLE.has(String(currency)) || (hundredths ?? 0) % 100 === 0;
    return hundredths !== null && hundredths > 0 && isWhole && /^[A-Z]{3}$/.test(String(currency));
  }

  private orderOf({ reward = {} }: AskedOrder, externalId: string | null, asked: string): NewOrder {
    const { value = {}, recipient = {}, delivery = {} } = reward;
    const sender = delivery.meta?.sender_name;
    return {
      ...{ externalId, asked, campaignId: String(reward.campaign_id) },
      reward: {
        hundredths: this.parts.misbook(externalId ?? '', hundredthsOf(value.denomination) ?? 0),
        currency: String(value.currency_code),
        recipient: {
          name: typeof recipient.name === 'string' ? recipient.name : null,
          email: String(recipient.email),
        },
        sender: typeof sender === 'string' ? sender : null,
      },
    };
  }

  /** With a link, as whoever creates an order is told one. */
  private told(order: TremendousOrder): object {
    const link = order.status === 'EXECUTED' ? this.linkTo(order) : undefined;
    return orderBody(order, this.parts.state, link);
  }

  private linkTo({ reward }: TremendousOrder): string {
    return `${this.parts.url()}/rewards/payout/${this.parts.books.link(reward)}`;
  }

  private list(externalId: string | null): SandboxAnswer {
    const { state } = this.parts;
    const found = state.orders.filter((order) => externalId === null || order.externalId === externalId);
    const orders = found.map((order) => orderBody(order, state)).reverse();
    return { status: 200, body: { orders, total_count: orders.length } };
  }

  private found(word: string): SandboxAnswer {
    const order = this.parts.books.order(word);
    return order ? { status: 200, body: { order: orderBody(order, this.parts.state) } } : UNKNOWN;
  }

  private reward(id: string): SandboxAnswer {
    const order = this.parts.books.orderOfReward(id);
    return order ? { status: 200, body: { reward: rewardBody(order.reward, order) } } : UNKNOWN;
  }

  private link(id: string): SandboxAnswer {
    const order = this.parts.books.orderOfReward(id);
    if (!order) return UNKNOWN;
    if (order.status !== 'EXECUTED') return problem(403, 'This reward has no link');
    return { status: 200, body: { reward: { id, link: this.linkTo(order) } } };
  }

  /** By its API only what could not be delivered is cancelled: a link always is. */
  private cancel(id: string): SandboxAnswer {
    return this.parts.books.orderOfReward(id) ? problem(422, 'Only a failed delivery can be cancelled') : UNKNOWN;
  }

  private fundingSource(id: string): SandboxAnswer {
    const { state } = this.parts;
    const isOurs = id === state.balanceId || id.toUpperCase() === 'BALANCE';
    return isOurs ? { status: 200, body: { funding_source: balanceBody(state) } } : UNKNOWN;
  }

  private hook({ url }: { url?: unknown }): SandboxAnswer {
    if (typeof url !== 'string') return problem(400, 'url is missing');
    this.parts.tellsAt(url);
    return { status: 200, body: { webhook: this.hooks()[0] } };
  }

  private hooks(): object[] {
    const { state, webhookKey } = this.parts;
    return state.noticesUrl === null ? [] : [{ id: 'HOOK', url: state.noticesUrl, private_key: webhookKey }];
  }
}
