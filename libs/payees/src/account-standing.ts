/** How a payee stands by what a rail says of the account they are paid over. Pure, and the only place that says so. */
import { kycPath } from '#libs/domain';
import type { AccountFact } from '#libs/rail-kit';
import type { Payee } from './payee';

export type KnownAccount = Extract<AccountFact, { kind: 'account' }>;

/** A payable account is a verified one. The identity check goes as far as legal steps lead from where the payee stands. */
export function standingBy(account: KnownAccount, before: Payee): Payee {
  const wanted = account.payable ? 'verified' : account.kyc;
  const { onboarding: onboardingStatus } = account;
  if (wanted !== before.kycStatus && kycPath(before.kycStatus, wanted).length === 0)
    return { ...before, onboardingStatus };
  return {
    ...before,
    onboardingStatus,
    kycStatus: wanted,
    kycReason: wanted === 'rejected' ? account.kycReason : null,
  };
}
