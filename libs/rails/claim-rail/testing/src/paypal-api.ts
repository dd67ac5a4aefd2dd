/** The calls of PayPal that the rail makes, and those that its operator would: Payouts, Reporting, and who may call at all. */
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import { type NewPayment, PaypalBooks, type PaypalPayment, type PaypalState } from './paypal-books';
import { PaypalTokens } from './paypal-tokens';
import { batchBody, batchHeader, itemDetails, moneyOf, problem, unitsOf } from './paypal-words';

interface Parts {
  state: PaypalState;
  books: PaypalBooks;
  tokens: PaypalTokens;
  now: () => Date;
  url: () => string;
  /** A mistake that was asked for: what it books of an amount. */
  misbook: (senderItemId: string, units: number) => number;
}

interface AskedItem {
  recipient_type?: unknown;
  receiver?: unknown;
  amount?: { value?: unknown; currency?: unknown };
  sender_item_id?: unknown;
}
interface AskedHeader {
  sender_batch_id?: unknown;
  email_subject?: unknown;
}
interface AskedBatch {
  sender_batch_header?: AskedHeader;
  items?: AskedItem[];
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const LONGEST_RECEIVER = 127;

export class PaypalApi {
  private readonly calls: readonly [RegExp, (id: string, body: string) => SandboxAnswer][] = [
    [/^POST \/v1\/payments\/payouts$/, (_, body) => this.create(JSON.parse(body) as AskedBatch)],
    [/^GET \/v1\/payments\/payouts\/([^/]+)$/, (id) => this.batch(id)],
    [/^GET \/v1\/payments\/payouts-item\/([^/]+)$/, (id) => this.item(id)],
    [/^POST \/v1\/payments\/payouts-item\/([^/]+)\/cancel$/, (id) => this.cancel(id)],
    [/^GET \/v1\/reporting\/balances$/, () => this.balances()],
  ];

  constructor(private readonly parts: Parts) {}

  answer(request: SandboxRequest): SandboxAnswer {
    const { tokens, now } = this.parts;
    if (request.path === '/v1/oauth2/token') return tokens.grant(request, now());
    if (!tokens.isGood(request.headers.authorization, now())) return problem(401, 'AUTHENTICATION_FAILURE');
    const called = `${request.method} ${request.path}`;
    for (const [pattern, work] of this.calls) {
      const [whole, id = ''] = pattern.exec(called) ?? [];
      if (whole !== undefined) return work(id, request.body);
    }
    return problem(404, 'RESOURCE_NOT_FOUND');
  }

  private create({ sender_batch_header: header = {}, items = [] }: AskedBatch): SandboxAnswer {
    const [item] = items;
    const complaint = complaintAbout(header, items);
    if (complaint !== null || !item)
      return problem(400, 'VALIDATION_ERROR', { details: [{ issue: complaint ?? 'no item' }] });
    const { books, now } = this.parts;
    const used = books.used(String(header.sender_batch_id), now());
    if (used) return this.duplicate(used);
    const payment = books.take(this.paymentOf(header, item), now());
    return { status: 201, body: { batch_header: batchHeader(payment, 'PENDING'), links: [this.self(payment)] } };
  }

  private paymentOf({ sender_batch_id, email_subject }: AskedHeader, item: AskedItem): NewPayment {
    const currency = String(item.amount?.currency);
    const senderItemId = String(item.sender_item_id ?? '');
    const units = unitsOf(item.amount?.value, currency) ?? 0;
    return {
      ...{ senderBatchId: String(sender_batch_id), senderItemId, currency },
      subject: typeof email_subject === 'string' ? email_subject : null,
      receiver: String(item.receiver).toLowerCase(),
      units: this.parts.misbook(senderItemId, units),
    };
  }

  private duplicate(used: PaypalPayment): SandboxAnswer {
    return problem(400, 'USER_BUSINESS_ERROR', {
      details: [
        { field: 'SENDER_BATCH_ID', location: 'body', issue: 'Batch with given sender_batch_id already exists' },
      ],
      links: [this.self(used)],
    });
  }

  private batch(id: string): SandboxAnswer {
    const found = this.parts.books.batch(id);
    return found ? { status: 200, body: batchBody(found, this.self(found).href) } : problem(404, 'RESOURCE_NOT_FOUND');
  }

  private item(id: string): SandboxAnswer {
    const found = this.parts.books.item(id);
    return found ? { status: 200, body: itemDetails(found) } : problem(404, 'RESOURCE_NOT_FOUND');
  }

  private cancel(id: string): SandboxAnswer {
    const { books, now } = this.parts;
    const found = books.item(id);
    if (!found) return problem(404, 'RESOURCE_NOT_FOUND');
    if (found.status !== 'UNCLAIMED') return problem(400, 'ITEM_ALREADY_COMPLETED');
    books.cancel(found, now());
    return { status: 200, body: itemDetails(found) };
  }

  private balances(): SandboxAnswer {
    const { state, now } = this.parts;
    const balances = Object.entries(state.balances).map(([currency, units]) => {
      const withheld = state.withheld?.[currency] ?? 0;
      const [total_balance, available_balance] = [units + withheld, units].map((each) => ({
        ...{ currency_code: currency, value: moneyOf(each, currency).value },
      }));
      return { currency, total_balance, available_balance };
    });
    const at = now().toISOString();
    return { status: 200, body: { balances, account_id: state.accountId, as_of_time: at, last_refresh_time: at } };
  }

  private self({ batchId }: PaypalPayment): { href: string; rel: string; method: string } {
    return { href: `${this.parts.url()}/v1/payments/payouts/${batchId}`, rel: 'self', method: 'GET' };
  }
}

function complaintAbout({ sender_batch_id }: AskedHeader, [item, ...others]: AskedItem[]): string | null {
  if (others.length > 0) return 'This simulator takes batches of one item';
  if (typeof sender_batch_id !== 'string' || sender_batch_id === '') return 'sender_batch_id is missing';
  if (item?.recipient_type !== 'EMAIL') return 'recipient_type is invalid';
  return complaintAboutReceiver(item.receiver) ?? complaintAboutAmount(item.amount ?? {});
}

function complaintAboutReceiver(receiver: unknown): string | null {
  const isAddress = typeof receiver === 'string' && receiver.length <= LONGEST_RECEIVER && EMAIL.test(receiver);
  return isAddress ? null : 'Receiver is invalid';
}

function complaintAboutAmount({ value, currency }: NonNullable<AskedItem['amount']>): string | null {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return 'Currency is invalid';
  const units = unitsOf(value, currency);
  return units === null || units < 1 ? 'Amount is invalid' : null;
}
