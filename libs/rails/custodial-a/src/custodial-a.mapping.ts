/** Stripe's words in ours. Only an explicit yes or no ends a payout: what stands in no table is unknown. */
import {
  type Accepted,
  codeTold,
  type Echo,
  type LookupFact,
  type NotNow,
  ourAmount,
  providerDigits,
  type Refused,
  type SubmitFact,
  type Unknown,
} from '#libs/rail-kit';
import type { StripeAnswer } from './stripe.client';
import type { Problem, Transfer } from './stripe.shapes';
import type { NotPaidOut, Sight } from './stripe.sight';
import { AMOUNTS } from './amounts';

/** Of a transfer that Stripe turned away: nothing was made of it. */
const TRANSFERS = new Map<string, Refused['failure']>([
  ['balance_insufficient', 'funding'],
  ['insufficient_funds', 'funding'],
  ['account_invalid', 'account'],
  ['account_closed', 'account'],
  ['resource_missing', 'account'],
  ['transfers_not_allowed', 'account'],
  ['payouts_not_allowed', 'account'],
  ['capability_not_active', 'account'],
  ['insufficient_capabilities_for_transfer', 'account'],
  ['amount_too_large', 'permanent'],
  ['amount_too_small', 'permanent'],
  ['parameter_invalid_integer', 'permanent'],
  ['currency_not_supported', 'permanent'],
]);

/** Of a payout that Stripe did not take: the money lies in the payee's account, and is pulled back from there. */
const PAYOUTS = new Map<string, NotPaidOut['failure']>([
  ['payouts_not_allowed', 'account'],
  ['account_invalid', 'account'],
  ['account_closed', 'account'],
  ['capability_not_active', 'account'],
  ['no_account', 'account'],
  ['bank_account_unusable', 'account'],
  ['resource_missing', 'account'],
  ['amount_too_large', 'permanent'],
  ['amount_too_small', 'permanent'],
  ['parameter_invalid_integer', 'permanent'],
  ['currency_not_supported', 'permanent'],
]);

/** Why a payout failed at the bank, if it is no use to try again. */
const NEVER = new Set([
  ...['account_closed', 'account_frozen', 'bank_account_restricted', 'bank_ownership_changed', 'debit_not_authorized'],
  ...['invalid_account_number', 'incorrect_account_type', 'incorrect_account_holder_name', 'invalid_currency'],
  ...['incorrect_account_holder_address', 'incorrect_account_holder_tax_id', 'no_account', 'unsupported_card'],
]);

export const TRIED_AGAIN_SECONDS = 30;
/** Money that Stripe does not let out yet, or an account that owes it some. */
export const LATER_SECONDS = 3_600;

/** How a payout ended, as far as Stripe shows it. */
export function stateOf(sight: Sight): LookupFact {
  const { transfer, payout, notPaidOut } = sight;
  const told = toldOf(transfer);
  if (!told) return { kind: 'unknown', detail: 'Stripe tells no amount that can be read' };
  if (payout === null) {
    if (transfer.reversed) return { kind: 'refused', ...(notPaidOut ?? TAKEN_BACK) };
    return { ...told, next: { leg: notPaidOut ? 'pull_back' : 'payout' } };
  }
  if (payout.amount !== transfer.amount || payout.currency !== transfer.currency) return OTHER_SUM;
  switch (payout.status) {
    case 'pending':
    case 'in_transit':
      return told;
    case 'paid':
      return { ...told, kind: 'settled', settledAt: new Date(payout.arrival_date * 1000) };
    case 'failed':
    case 'canceled':
      return transfer.reversed ? endOf(sight) : { ...told, next: { leg: 'pull_back' } };
    default:
      return unmapped('payout status', payout.status);
  }
}

const OTHER_SUM: Unknown = { kind: 'unknown', detail: 'Stripe shows a payout of another sum than it was asked for' };

/** To a call: what came back was paid, and that it came back is told by the next look-up. */
export function factOf(sight: Sight): SubmitFact {
  const state = stateOf(sight);
  if (state.kind === 'never_seen') return { kind: 'unknown', detail: 'Stripe does not show it' };
  if (state.kind !== 'bounced') return state;
  const told = toldOf(sight.transfer);
  if (!told) return { kind: 'unknown', detail: 'Stripe tells no amount that can be read' };
  return { ...told, kind: 'settled', settledAt: new Date((sight.payout?.arrival_date ?? 0) * 1000) };
}

/** It lies in our balance again. Stripe keeps nothing of it. */
function endOf({ payout, wasPaid }: Sight): LookupFact {
  if (wasPaid) return { kind: 'bounced', feeCents: 0 };
  const why = payout?.failure_code ?? payout?.status ?? 'no_reason';
  const failure = NEVER.has(why) ? 'permanent' : 'transient';
  return { kind: 'refused', failure, reason: `the bank did not take the payout: ${codeTold(why)}` };
}

const TAKEN_BACK: NotPaidOut = { failure: 'transient', reason: 'the transfer was taken back at Stripe' };

/** On its way, under the transfer's name for as long as it lives. */
function toldOf(transfer: Transfer): (Accepted & { echo: Echo }) | null {
  const currency = transfer.currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) return null;
  const amountCents = ourAmount(BigInt(transfer.amount), currency, providerDigits({ amounts: AMOUNTS }, currency));
  return amountCents === null ? null : { kind: 'accepted', providerRef: transfer.id, echo: { amountCents, currency } };
}

/** A transfer that was turned away. */
export function refusalOf(status: number, { error }: Problem): Refused | Unknown {
  const failure = TRANSFERS.get(error.code ?? '') ?? (isAboutUs(status) ? 'credentials' : undefined);
  if (!failure) return unmapped('error', codeOf(error));
  return { kind: 'refused', failure, reason: `Stripe did not take the transfer: ${codeOf(error)}` };
}

/** A payout that was turned away; null if that says nothing for good. */
export function notPaidOutBy({ error }: Problem): NotPaidOut | null {
  const failure = PAYOUTS.get(error.code ?? '');
  return failure ? { failure, reason: `Stripe did not take the payout: ${codeOf(error)}` } : null;
}

/** The key is not good, or may not do that. */
export const isAboutUs = (status: number): boolean => status === 401 || status === 403;

/** The key is good, and may not do that; or not for this account. */
export const isForbidden = (status: number): boolean => status === 403;

/**
 * Stripe knows the key with other words, and does nothing with these. Of a call that is still at work under it, it says so with a 409 and a code
 * of its own.
 */
export const hasOtherWords = (status: number, { error }: Problem): boolean =>
  status === 400 && codeOf(error) === 'idempotency_error';

export const lacksFunds = ({ error }: Problem): boolean =>
  error.code === 'balance_insufficient' || error.code === 'insufficient_funds';

export const codeOf = ({ code, type }: Problem['error']): string => codeTold(code ?? type);

export function notNow(afterSeconds: number): NotNow {
  return { kind: 'not_now', afterSeconds, detail: `Stripe wants a rest of ${afterSeconds} seconds` };
}

/** A question that was not answered: what was sent is not known, and what was not sent can wait. */
export function unanswered(answer: Exclude<StripeAnswer<never>, { kind: 'done' }>): Unknown | NotNow {
  if (answer.kind === 'later') return notNow(answer.afterSeconds);
  const said = answer.kind === 'rejected' ? codeOf(answer.problem.error) : answer.detail;
  return { kind: 'unknown', detail: `Stripe did not say: ${said}` };
}

export const putOff = (detail: string): NotNow => ({ kind: 'not_now', afterSeconds: TRIED_AGAIN_SECONDS, detail });

export const unmapped = (what: string, word: string): Unknown => ({
  kind: 'unknown',
  detail: `${what} '${codeTold(word)}' is not mapped`,
});
