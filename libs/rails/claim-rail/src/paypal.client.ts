/** PayPal's API in its own words: Payouts v1 and Reporting v1. It knows nothing of payouts of ours. */
import { type Clock, codeTold } from '#libs/rail-kit';
import { type Answer, type Shape, Transport } from '#libs/rail-transport';
import type { ClaimRailSettings } from './claim-rail.settings';
import {
  type Balances,
  type Batch,
  type CreatedBatch,
  isBalances,
  isBatch,
  isCreatedBatch,
  isProblem,
  type Money,
  type Problem,
} from './paypal.shapes';
import { PaypalToken } from './paypal.token';

export type PaypalAnswer<Found> =
  | Answer<Found, Problem>
  /** There was no token to be had: the call itself was not made. */
  | { kind: 'not_made'; detail: string }
  | { kind: 'unknown_to_paypal'; detail: string };

export interface NewBatch {
  sender_batch_header: { sender_batch_id: string; email_subject?: string };
  /** Always one: a batch is denied or paid as a whole. */
  items: [{ recipient_type: 'EMAIL'; receiver: string; amount: Money; sender_item_id: string }];
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  json?: object;
  signal?: AbortSignal;
}

export class PaypalClient {
  private readonly transport: Transport;
  private readonly token: PaypalToken;

  constructor(settings: ClaimRailSettings, clock: Clock) {
    this.transport = new Transport(settings);
    this.token = new PaypalToken(this.transport, settings, clock);
  }

  createBatch(batch: NewBatch, signal?: AbortSignal): Promise<PaypalAnswer<CreatedBatch>> {
    return this.call({ method: 'POST', path: '/v1/payments/payouts', json: batch, signal }, isCreatedBatch);
  }

  readBatch(batchId: string, signal?: AbortSignal): Promise<PaypalAnswer<Batch>> {
    return this.call({ method: 'GET', path: `/v1/payments/payouts/${encodeURIComponent(batchId)}`, signal }, isBatch);
  }

  readBalances(signal?: AbortSignal): Promise<PaypalAnswer<Balances>> {
    return this.call({ method: 'GET', path: '/v1/reporting/balances?currency_code=ALL', signal }, isBalances);
  }

  /** A token that PayPal took back is asked for once more: with the old one it did nothing. */
  private async call<Found>(call: Call, found: Shape<Found>): Promise<PaypalAnswer<Found>> {
    const first = await this.callOnce(call, found);
    return isStaleToken(first) ? this.callOnce(call, found) : first;
  }

  private async callOnce<Found>({ json, ...call }: Call, found: Shape<Found>): Promise<PaypalAnswer<Found>> {
    const token = await this.token.get();
    if (token.kind === 'rejected') return { kind: 'unknown_to_paypal', detail: codeTold(token.problem.error) };
    if (token.kind === 'unclear') return { kind: 'not_made', detail: `no token: ${token.detail}` };
    if (token.kind === 'later') return { kind: 'later', afterSeconds: token.afterSeconds };
    const answer = await this.transport.call<Found, Problem>({
      ...call,
      headers: { authorization: `Bearer ${token.found.text}` },
      ...(json ? { body: { type: 'application/json', text: JSON.stringify(json) } } : {}),
      found,
      problem: isProblem,
    });
    if (isStaleToken(answer)) this.token.drop(token.found.text);
    return answer;
  }
}

const isStaleToken = (answer: PaypalAnswer<unknown>): boolean => answer.kind === 'rejected' && answer.status === 401;
