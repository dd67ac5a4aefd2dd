/** A payee as stored, with the account it is paid over. */
import type { KycStatus, OnboardingStatus } from '#libs/domain';
import type { AccountDetails } from '#libs/rail-kit';

export interface Payee {
  id: string;
  clientId: string;
  externalId: string;
  email: string | null;
  name: string | null;
  country: string | null;
  /** The language they want to be spoken to in; null: they did not say. */
  locale: string | null;
  metadata: Record<string, string>;
  provider: string | null;
  payable: boolean;
  kycStatus: KycStatus;
  kycReason: string | null;
  onboardingStatus: OnboardingStatus;
  blocked: boolean;
  blockReason: string | null;
  coolingUntil: Date | null;
  /** When one address took the place of another; a first one changes nothing. */
  emailChangedAt: Date | null;
  /** When an account that they can be paid to was last that of somebody else: links into a wallet from before open nothing. */
  identityChangedAt: Date | null;
  eventSequence: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface Method {
  id: string;
  clientId: string;
  payeeId: string;
  provider: string;
  providerAccountId: string;
  testMode: boolean;
  payable: boolean;
  accountCountry: string | null;
  /** Details by which a person recognises the account, as its rail last told them; null: none yet. */
  details: AccountDetails | null;
  detailsAt: Date | null;
  status: 'active' | 'replaced';
  createdAt: Date;
  updatedAt: Date;
}

/** A payee's standing, according to a rail or a test. */
export interface Standing {
  payable: boolean;
  kycStatus: KycStatus;
  kycReason: string | null;
  onboardingStatus: OnboardingStatus;
}
