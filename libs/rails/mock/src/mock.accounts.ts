/** The accounts of the mock provider: none is kept, the beginning of the id tells what it is. */
import type { AccountFact } from '#libs/rail-kit';

const KNOWN = { kind: 'account', kycReason: null, country: null } as const;

export function accountFact(accountId: string): AccountFact {
  if (accountId.startsWith('acct_missing')) return { kind: 'unconfirmed', detail: 'no such account' };
  if (accountId.startsWith('acct_foreign'))
    return { kind: 'unconfirmed', detail: 'the account belongs to another platform' };
  if (accountId.startsWith('acct_down')) return { kind: 'unknown', detail: 'the provider does not answer' };
  if (accountId.startsWith('acct_restricted'))
    return { ...KNOWN, kyc: 'pending', payable: false, onboarding: 'restricted' };
  return { ...KNOWN, kyc: 'verified', payable: true, onboarding: 'complete' };
}
