/** What is in the way of being paid that is the payee's own to do, or to wait for. */
import type { Payee } from '#libs/payees';

export type SetUpStep = 'start' | 'checking' | 'rejected' | 'restricted';

/** Whoever has not handed in everything is not only waited for: the rail waits for them. */
export function setUpStep({ kycStatus, onboardingStatus }: Pick<Payee, 'kycStatus' | 'onboardingStatus'>): SetUpStep {
  switch (kycStatus) {
    case 'not_started':
      return 'start';
    case 'pending':
      return onboardingStatus === 'complete' ? 'checking' : 'restricted';
    case 'rejected':
      return 'rejected';
    case 'verified':
      return 'restricted';
  }
}
