/** An account of Stripe's in our words. */
import type { KycStatus, OnboardingStatus } from '#libs/domain';
import type { AccountDetails, AccountFact } from '#libs/rail-kit';
import type { Account, ExternalAccount, Problem } from './stripe.shapes';

const AUTOMATIC = 'its payouts are made by Stripe, not by us: set its payout schedule to manual';

/** Of `disabled_reason`: Stripe has decided, and does not want more papers. */
const isRejected = (reason: string): boolean => reason === 'listed' || reason.startsWith('rejected.');
const isLookedAt = (reason: string | null): boolean =>
  reason === 'under_review' || reason === 'requirements.pending_verification';

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
    details: detailsOf(account),
  };
}

function kycOf(account: Account): KycStatus {
  const { payouts_enabled, capabilities, requirements, details_submitted } = account;
  if (payouts_enabled === true && capabilities?.transfers === 'active') return 'verified';
  const reason = requirements?.disabled_reason ?? null;
  // What Stripe could not read, or believe, its owner has to give once more.
  if ((reason !== null && isRejected(reason)) || (requirements?.errors ?? []).length > 0) return 'rejected';
  const isPending = isLookedAt(reason) || (requirements?.pending_verification ?? []).length > 0;
  return isPending || details_submitted === true ? 'pending' : 'not_started';
}

function onboardingOf({ details_submitted, requirements }: Account, kyc: KycStatus): OnboardingStatus {
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
