/** An account of Stripe's in our words. */
import type { AccountDetails, AccountFact } from '#libs/rail-kit';
import type { Account, ExternalAccount, Problem } from './stripe.shapes';

type Standing = Extract<AccountFact, { kind: 'account' }>;

const AUTOMATIC = 'its payouts are made by Stripe, not by us: set its payout schedule to manual';

/** Of `disabled_reason`: Stripe has decided, and does not want more papers. */
const isRejected = (reason: string): boolean => reason === 'listed' || reason.startsWith('rejected.');
const LOOKED_AT = new Set(['under_review', 'requirements.pending_verification']);

export function standingOf(account: Account): AccountFact {
  const { interval = 'manual' } = account.settings?.payouts?.schedule ?? {};
  // Whatever we send there would leave for the bank without us.
  if (interval !== 'manual') return { kind: 'unconfirmed', detail: AUTOMATIC };
  const kyc = kycOf(account);
  return {
    kind: 'account',
    payable: kyc === 'verified',
    kyc,
    kycReason: kyc === 'verified' ? null : whyOf(account),
    onboarding: onboardingOf(account, kyc),
    country: account.country ?? null,
    details: { ...detailsOf(account), ...(isForGood(account) ? { isRejectedForGood: true as const } : {}) },
  };
}

const isForGood = ({ requirements }: Account): boolean => isRejected(requirements?.disabled_reason ?? '');

function kycOf(account: Account): Standing['kyc'] {
  const { payouts_enabled, capabilities, details_submitted } = account;
  if (payouts_enabled === true && capabilities?.transfers === 'active') return 'verified';
  const { disabled_reason: reason, errors, pending_verification: looking } = account.requirements ?? {};
  // The owner has to hand in again whatever Stripe could not read, or does not believe.
  if (isForGood(account) || hasAny(errors)) return 'rejected';
  const isPending = LOOKED_AT.has(reason ?? '') || hasAny(looking) || details_submitted === true;
  return isPending ? 'pending' : 'not_started';
}

const hasAny = (list?: unknown[] | null): boolean => (list ?? []).length > 0;

function onboardingOf({ details_submitted, requirements }: Account, kyc: Standing['kyc']): Standing['onboarding'] {
  if (kyc === 'rejected') return 'restricted';
  if (details_submitted !== true) return 'not_started';
  const isWanted = kyc !== 'verified' && (requirements?.currently_due ?? []).length > 0;
  return isWanted ? 'in_progress' : 'complete';
}

function whyOf({ requirements }: Account): string | null {
  const [error] = requirements?.errors ?? [];
  return error?.reason ?? requirements?.disabled_reason ?? null;
}

function detailsOf({ external_accounts, individual }: Account): AccountDetails {
  const all = external_accounts?.data ?? [];
  const known = all.find(({ default_for_currency }) => default_for_currency === true) ?? all[0];
  const name = [individual?.first_name, individual?.last_name].filter((part) => part).join(' ');
  return { ...recognisedBy(known), name: name === '' ? null : name };
}

const recognisedBy = (account?: ExternalAccount): Omit<AccountDetails, 'name'> => ({
  brand: account?.bank_name ?? account?.brand ?? null,
  last4: account?.last4 ?? null,
  currency: account?.currency?.toUpperCase() ?? null,
});

/** Not there, or of another platform: Stripe says the same of both. */
export const isUnknownAccount = (status: number, { error }: Problem): boolean =>
  error.code === 'account_invalid' || (status === 404 && error.code === 'resource_missing');
