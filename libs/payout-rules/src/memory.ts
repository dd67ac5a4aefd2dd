/** For how long a rail honours what it was sent under a code, counted from when that was sent first. */
import type { RailTraits } from '#libs/rail-kit';

export function isRemembered(since: Date | null, traits: RailTraits | null, now: Date): boolean {
  const retention = traits?.keyRetentionSeconds ?? null;
  return retention === null || since === null || now.getTime() - since.getTime() < retention * 1000;
}
