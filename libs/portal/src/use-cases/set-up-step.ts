/** What is in the way of being paid that is the payee's own to do, or to wait for. */
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';

export type SetUpStep = 'start' | 'checking' | 'rejected' | 'restricted';

/**
 * Whoever has not handed in everything is not only waited for: the rail waits for them. In a test nothing is handed in: whose outcome
 * is `pending` is being checked.
 */
export function setUpStep(
  { kycStatus, onboardingStatus }: Pick<Payee, 'kycStatus' | 'onboardingStatus'>,
  { testMode }: Pick<Client, 'testMode'>,
): SetUpStep {
  const isComplete = onboardingStatus === 'complete' || (testMode && onboardingStatus === 'in_progress');
  switch (kycStatus) {
    case 'not_started':
      return 'start';
    case 'pending':
      return isComplete ? 'checking' : 'restricted';
    case 'rejected':
      return 'rejected';
    case 'verified':
      return 'restricted';
  }
}
