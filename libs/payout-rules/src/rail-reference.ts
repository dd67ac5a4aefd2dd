/** By which reference a rail's money is known. */
import type { Payout } from './payout';

/**
 * The reference under which its money is under way, or moved: the first one that the rail told. It stays, because one code is one
 * movement. null after a refusal: that reference moves no more money, and the next try gets its own.
 */
export const referenceOf = ({ status, acceptedAttempt, providerRef }: Payout): string | null =>
  status === 'paid' || status === 'returned' || (status === 'submitted' && acceptedAttempt !== null)
    ? providerRef
    : null;

/** Of another payment than its own. */
export const isSecond = (payout: Payout, { providerRef }: { providerRef: string }): boolean =>
  referenceOf(payout) !== null && referenceOf(payout) !== providerRef;
