/** Stripe's API in its own words, as far as this rail speaks it. It knows nothing of payouts of ours. */
import { type Answer, heldAgainst, type Shape, Transport } from '#libs/rail-transport';
import {
  type Account,
  type AccountLink,
  type Balance,
  isAccount,
  isAccountLink,
  isAccounts,
  isBalance,
  isEvents,
  isMovedTransfers,
  isPayout,
  isPayouts,
  isProblem,
  isReversal,
  isReversalEvents,
  isTransfer,
  isTransfers,
  type List,
  type MovedTransfer,
  type PaidEvent,
  type Payout,
  type Problem,
  type Reversal,
  type ReversalEvent,
  type Transfer,
} from './stripe.shapes';

export type StripeAnswer<Found> = Answer<Found, Problem>;

/** The answers and errors of this version are what the rail was written for. */
const VERSION = '2023-08-16';

/** The event of a payout that the bank had. */
export const PAID = 'payout.paid';

/** Of times at Stripe, both included. */
export interface Range {
  from: number;
  to: number;
}

interface Call {
  path: string;
  form?: Record<string, string>;
  key?: string;
  /** The connected account that it is made for. */
  account?: string;
  signal?: AbortSignal;
}

export class StripeClient {
  private readonly transport: Transport;

  constructor(private readonly settings: { baseUrl: string; timeoutMs: number; secretKey: string }) {
    this.transport = new Transport(settings);
  }

  transfer(form: Record<string, string>, key: string, signal?: AbortSignal): Promise<StripeAnswer<Transfer>> {
    return this.call({ path: '/v1/transfers', form, key, signal }, isTransfer);
  }

  transfers(group: string, signal?: AbortSignal): Promise<StripeAnswer<List<Transfer>>> {
    const asked = new URLSearchParams({ transfer_group: group, limit: '100' });
    return this.call({ path: `/v1/transfers?${asked.toString()}`, signal }, isTransfers);
  }

  /** All of the platform's. */
  transfersMade(range: Range, after: string | null, signal?: AbortSignal): Promise<StripeAnswer<List<MovedTransfer>>> {
    return this.call({ path: `/v1/transfers?${within(range, after)}`, signal }, isMovedTransfers);
  }

  /** Of whichever transfers, each as it was then. */
  reversals(range: Range, after: string | null, signal?: AbortSignal): Promise<StripeAnswer<List<ReversalEvent>>> {
    return this.call({ path: `/v1/events?type=transfer.reversed&${within(range, after)}`, signal }, isReversalEvents);
  }

  reverse(
    id: string,
    form: Record<string, string>,
    key: string,
    signal?: AbortSignal,
  ): Promise<StripeAnswer<Reversal>> {
    return this.call({ path: `/v1/transfers/${encodeURIComponent(id)}/reversals`, form, key, signal }, isReversal);
  }

  payOut(
    account: string,
    form: Record<string, string>,
    key: string,
    signal?: AbortSignal,
  ): Promise<StripeAnswer<Payout>> {
    return this.call({ path: '/v1/payouts', form, key, account, signal }, isPayout);
  }

  payouts(
    account: string,
    since: number,
    after: string | null,
    signal?: AbortSignal,
  ): Promise<StripeAnswer<List<Payout>>> {
    return this.call({ path: `/v1/payouts?${page(since, after)}`, account, signal }, isPayouts);
  }

  paidEvents(
    account: string,
    since: number,
    after: string | null,
    signal?: AbortSignal,
  ): Promise<StripeAnswer<List<PaidEvent>>> {
    return this.call({ path: `/v1/events?type=${PAID}&${page(since, after)}`, account, signal }, isEvents);
  }

  balance(signal?: AbortSignal): Promise<StripeAnswer<Balance>> {
    return this.call({ path: '/v1/balance', signal }, isBalance);
  }

  async account(id: string, signal?: AbortSignal): Promise<StripeAnswer<Account>> {
    const answer = await this.call({ path: `/v1/accounts/${encodeURIComponent(id)}`, signal }, isAccount);
    return heldAgainst(answer, (found) => found.id === id);
  }

  /** The account that the key belongs to. */
  ownAccount(signal?: AbortSignal): Promise<StripeAnswer<Account>> {
    return this.call({ path: '/v1/account', signal }, isAccount);
  }

  openAccount(form: Record<string, string>, key: string, signal?: AbortSignal): Promise<StripeAnswer<Account>> {
    return this.call({ path: '/v1/accounts', form, key, signal }, isAccount);
  }

  accounts(since: number, after: string | null, signal?: AbortSignal): Promise<StripeAnswer<List<Account>>> {
    return this.call({ path: `/v1/accounts?${page(since, after)}`, signal }, isAccounts);
  }

  /** Each call makes a new one. */
  accountLink(form: Record<string, string>, signal?: AbortSignal): Promise<StripeAnswer<AccountLink>> {
    return this.call({ path: '/v1/account_links', form, signal }, isAccountLink);
  }

  private async call<Found>(
    { path, form, key, account, signal }: Call,
    found: Shape<Found>,
  ): Promise<StripeAnswer<Found>> {
    const answer = await this.transport.call<Found, Problem>({
      ...{ method: form ? 'POST' : 'GET', path, signal, found, problem: isProblem },
      headers: {
        ...{ authorization: `Bearer ${this.settings.secretKey}`, 'stripe-version': VERSION },
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(account === undefined ? {} : { 'stripe-account': account }),
      },
      ...(form
        ? { body: { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() } }
        : {}),
    });
    return isLocked(answer) ? LOCKED : answer;
  }
}

/**
 * This 429 is not a wish to be left alone: another request is at work on this one object. Stripe's own clients make the same call again
 * under the same key, and so do we, a moment later.
 */
const isLocked = (answer: StripeAnswer<unknown>): boolean =>
  answer.kind === 'later' && answer.problem?.error.code === 'lock_timeout';
const LOCKED = { kind: 'unclear', detail: 'another request is at work on it at Stripe' } as const;

function page(since: number, after: string | null): string {
  const asked = { 'created[gte]': String(since), limit: '100', ...(after === null ? {} : { starting_after: after }) };
  return new URLSearchParams(asked).toString();
}

const within = ({ from, to }: Range, after: string | null): string => `${page(from, after)}&${upTo(to)}`;

const upTo = (to: number): string => new URLSearchParams({ 'created[lte]': String(to) }).toString();
