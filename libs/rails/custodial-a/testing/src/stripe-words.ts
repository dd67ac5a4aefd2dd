/** What the simulated Stripe says, in the words of its published schema; and what it is asked, out of a form. */
import type { SandboxAnswer } from '#libs/provider-sandbox';
import type { StripeAccount, StripePayout, StripeState, StripeTransfer } from './stripe-books';

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

export const balanceBody = (balances: Record<string, number>): object => ({
  ...{ object: 'balance', livemode: false, pending: [] },
  available: Object.entries(balances).map(([currency, amount]) => ({ currency, amount })),
});

export function accountBody(account: StripeAccount): object {
  const isGood = account.standing === 'verified';
  return {
    ...{ object: 'account', id: account.id, type: 'express', country: account.country, created: 1_700_000_000 },
    ...{ default_currency: account.currency, details_submitted: account.standing !== 'incomplete' },
    ...{ payouts_enabled: isGood, charges_enabled: false },
    capabilities: { transfers: isGood ? 'active' : 'inactive' },
    requirements: requirementsOf(account),
  };
}

export const platformBody = ({ accountId }: StripeState): object => ({ object: 'account', id: accountId });

function requirementsOf({ standing, reason }: StripeAccount): object {
  return {
    ...{ alternatives: [], current_deadline: null, errors: [], eventually_due: [], past_due: [] },
    currently_due: standing === 'incomplete' ? ['external_account'] : [],
    pending_verification: standing === 'pending' ? ['individual.verification.document'] : [],
    disabled_reason: standing === 'rejected' ? (reason ?? 'rejected.other') : null,
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
