/** What the simulated Stripe says, in the words of its published schema; and what it is asked, out of a form. */
import { randomBytes } from 'node:crypto';
import type { SandboxAnswer } from '#libs/provider-sandbox';
import type {
  Change,
  StripeAccount,
  StripeLink,
  StripePayout,
  StripeReversal,
  StripeState,
  StripeTransfer,
} from './stripe-books';

const seconds = (at: string): number => Math.floor(Date.parse(at) / 1000);
const none = (url: string): object => listOf([], url);

export const listOf = (data: object[], url: string, hasMore = false): object => ({
  ...{ object: 'list', data, has_more: hasMore, url },
});

export function problem(status: number, code: string): SandboxAnswer {
  const type = code === 'idempotency_error' ? code : 'invalid_request_error';
  return { status, body: { error: { type, code, message: `Turned away: ${code}.` } } };
}

export const transferBody = (transfer: StripeTransfer): object => ({
  object: 'transfer',
  ...{ id: transfer.id, amount: transfer.units, amount_reversed: transfer.reversedUnits, currency: transfer.currency },
  ...{ created: seconds(transfer.createdAt), destination: transfer.destination, livemode: false },
  ...{ metadata: transfer.metadata, transfer_group: transfer.group },
  ...{ reversed: transfer.reversedUnits === transfer.units, reversals: none(`/v1/transfers/${transfer.id}/reversals`) },
});

export const payoutBody = (payout: StripePayout): object => ({
  object: 'payout',
  ...{ id: payout.id, amount: payout.units, currency: payout.currency, status: payout.status },
  ...{ arrival_date: seconds(payout.paidAt ?? payout.createdAt), created: seconds(payout.createdAt) },
  ...{ automatic: false, livemode: false, method: 'standard', type: 'bank_account', source_type: 'card' },
  ...{ reconciliation_status: 'not_applicable', metadata: payout.metadata },
  ...{ failure_code: payout.failure, statement_descriptor: payout.descriptor },
});

export const paidEvent = (payout: StripePayout): object => ({
  ...{ object: 'event', id: `evt_${payout.id}`, type: 'payout.paid', account: payout.account, livemode: false },
  ...{ created: seconds(payout.paidAt ?? payout.createdAt), pending_webhooks: 0, api_version: '2023-08-16' },
  data: { object: payoutBody({ ...payout, status: 'paid', failure: null }) },
});

export const reversedEvent = ({ id, transfer, at }: StripeReversal): object => ({
  ...{ object: 'event', id: `evt_${id}`, type: 'transfer.reversed', livemode: false, created: seconds(at) },
  ...{ pending_webhooks: 0, api_version: '2023-08-16', data: { object: transferBody(transfer) } },
});

type Balances = Record<string, number>;

export const balanceBody = (balances: Balances, pending: Balances = {}): object => ({
  ...{ object: 'balance', livemode: false },
  ...{ available: amountsOf(balances), pending: amountsOf(pending) },
});

const amountsOf = (balances: Balances): object[] =>
  Object.entries(balances).map(([currency, amount]) => ({ currency, amount }));

export function accountBody(account: StripeAccount): object {
  const isGood = account.standing === 'verified';
  const schedule = { delay_days: 2, interval: account.interval };
  return {
    ...{ object: 'account', id: account.id, type: 'express', country: account.country },
    ...{ created: seconds(account.createdAt), metadata: account.metadata },
    ...{ default_currency: account.currency, details_submitted: account.standing !== 'incomplete' },
    ...{ payouts_enabled: isGood, charges_enabled: false },
    ...{ capabilities: { transfers: isGood ? 'active' : 'inactive' }, requirements: requirementsOf(account) },
    settings: {
      ...{ branding: {}, card_payments: {}, dashboard: {}, payments: {} },
      payouts: { debit_negative_balances: false, schedule, statement_descriptor: null },
    },
    external_accounts: banksOf(account),
    ...(account.owner === '' ? {} : { individual: personOf(account) }),
  };
}

function banksOf({ id, country, currency, last4 }: StripeAccount): object {
  const bank = {
    ...{ object: 'bank_account', id: `ba_${id.slice(5)}`, country, currency, last4, status: 'new' },
    ...{ bank_name: 'STRIPE TEST BANK', default_for_currency: true },
  };
  return listOf(last4 === '' ? [] : [bank], `/v1/accounts/${id}/external_accounts`);
}

function personOf({ id, owner, createdAt }: StripeAccount): object {
  const [first_name = '', ...rest] = owner.split(' ');
  const named = { first_name, last_name: rest.join(' ') };
  return { object: 'person', id: `person_${id.slice(5)}`, account: id, created: seconds(createdAt), ...named };
}

export const platformBody = ({ accountId }: StripeState): object => ({ object: 'account', id: accountId });

export const linkBody = (link: StripeLink, now: Date, url: string): object => ({
  ...{ object: 'account_link', created: Math.floor(now.getTime() / 1000), expires_at: seconds(link.expiresAt) },
  url: `${url}/setup/e/${link.token}`,
});

/** What it is about, as it stands when it is told. */
export function eventBody(change: Change, now: Date): { id: string; body: object } {
  const object = 'account' in change ? accountBody(change.account) : objectOf(change);
  const id = `evt_${randomBytes(12).toString('hex')}`;
  const of = 'account' in change ? change.account.id : 'payout' in change ? change.payout.account : null;
  const body = {
    ...{ object: 'event', id, type: change.type, livemode: false, pending_webhooks: 1, api_version: '2023-08-16' },
    ...{ created: Math.floor(now.getTime() / 1000), data: { object }, ...(of === null ? {} : { account: of }) },
  };
  return { id, body };
}

const objectOf = (change: Exclude<Change, { account: StripeAccount }>): object =>
  'payout' in change ? payoutBody(change.payout) : transferBody(change.transfer);

function requirementsOf({ standing, reason }: StripeAccount): object {
  const wanted = 'individual.verification.document';
  const isRefused = standing === 'rejected' && reason !== null;
  const error = { code: 'verification_document_not_readable', reason, requirement: wanted };
  return {
    ...{ alternatives: [], current_deadline: null, eventually_due: [], past_due: [] },
    errors: isRefused ? [error] : [],
    currently_due: standing === 'incomplete' ? ['external_account'] : isRefused ? [wanted] : [],
    pending_verification: standing === 'pending' ? [wanted] : [],
    disabled_reason: standing === 'rejected' ? (isRefused ? 'requirements.past_due' : 'rejected.other') : null,
  };
}

/** `a[b]=c` as `{ a: { b: 'c' } }`. */
export function decodedForm(body: string): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const [first = '', ...inner] = name.split(/\[|\]\[|\]/).filter((part) => part !== '');
    let place = form;
    let last = first;
    for (const part of inner) {
      place = (place[last] ??= {}) as Record<string, unknown>;
      last = part;
    }
    place[last] = value;
  }
  return form;
}
