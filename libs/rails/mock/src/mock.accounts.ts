/** The accounts of the mock provider: of most none is kept, and the beginning of the id tells what it is. */
import { createHash } from 'node:crypto';
import type { AccountDetails, AccountFact, DirectedStanding } from '#libs/rail-kit';

/** A type and not an interface, as a record of the store must be. `name`: of whom it was opened for. */
export type KeptAccount = Pick<DirectedStanding, keyof DirectedStanding> & { name: string | null };

export const ACCOUNT = 'account:';
export const OPENING = 'opening:';

export const JUST_OPENED: DirectedStanding = { kyc: 'not_started', kycReason: null, onboarding: 'not_started' };
const VERIFIED: DirectedStanding = { kyc: 'verified', kycReason: null, onboarding: 'complete' };
const RESTRICTED: DirectedStanding = { kyc: 'pending', kycReason: null, onboarding: 'restricted' };

/** `kept`: what became of one that was opened here, or that a test decided about. */
export function accountFact(accountId: string, kept: KeptAccount | null = null): AccountFact {
  if (accountId.startsWith('acct_missing')) return { kind: 'unconfirmed', detail: 'no such account' };
  if (accountId.startsWith('acct_foreign'))
    return { kind: 'unconfirmed', detail: 'the account belongs to another platform' };
  if (accountId.startsWith('acct_down')) return { kind: 'unknown', detail: 'the provider does not answer' };
  const { kyc, kycReason, onboarding } = kept ?? (accountId.startsWith('acct_restricted') ? RESTRICTED : VERIFIED);
  return {
    kind: 'account',
    payable: kyc === 'verified',
    ...{ kyc, kycReason, onboarding, country: null },
    details: {
      ...detailsOf(accountId, kept?.name ?? null),
      ...(kyc === 'rejected' && isForGood(kycReason) ? { isRejectedForGood: true as const } : {}),
    },
  };
}

/** As Stripe says it: for a code of these, and no sentence. */
const isForGood = (kycReason: string | null): boolean => /^rejected\.\w+$/.test(kycReason ?? '');

/** Always the same of one account, and mostly others of another. */
export function detailsOf(accountId: string, name: string | null): AccountDetails {
  const digits = createHash('sha256').update(accountId).digest().readUInt16BE() % 10_000;
  return { brand: 'Mock Bank', last4: String(digits).padStart(4, '0'), currency: 'USD', name };
}
