/** Whether the request that makes a payout waits for its rail: it settles at once, or its link is to be handed on now. */
import type { RailTraits } from '#libs/rail-kit';
import type { Payout } from './payout';

export function isSentByRequest({ consolidates }: Payout, traits: RailTraits | null): boolean {
  return traits?.settles === 'at_once' || (consolidates && traits?.custody === 'claim');
}
