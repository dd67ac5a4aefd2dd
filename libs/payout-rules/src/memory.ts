/** For how long a rail honours what it was sent under a code, counted from when that was sent first; and what it may know under another one. */
import type { RailTraits } from '#libs/rail-kit';
import type { Payout } from './payout';

export function isRemembered(since: Date | null, traits: RailTraits | null, now: Date): boolean {
  const retention = traits?.keyRetentionSeconds ?? null;
  return retention === null || since === null || now.getTime() - since.getTime() < retention * 1000;
}

/** Its code is made of rows that leave together: a database that was restored may have had them leave without others before. */
export const isNewOfRows = ({ consolidates, submittedAt }: Payout): boolean => consolidates && submittedAt === null;
