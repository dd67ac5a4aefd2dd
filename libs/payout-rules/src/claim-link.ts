/** The link of a payout whose payee has something to do: its rail's own, or what stands for a page of ours. */
import { noticeOf, OUR_PAGE } from '#libs/domain';
import type { LookupFact } from '#libs/rail-kit';
import { isAskedAgain } from './begun-legs';
import type { Payout } from './payout';

type Linked = Pick<Payout, 'status' | 'claimUrl' | 'claimedAt'>;

/** There is something that its payee can do now. */
export const waitsForPayee = ({ status, claimUrl }: Pick<Linked, 'status' | 'claimUrl'>): boolean =>
  status === 'submitted' && claimUrl !== null && claimUrl !== OUR_PAGE.soon;

/**
 * Something that its payee has to know, because they have to act. A batch's caller tells its payees what to claim, but does not know
 * the addresses that they give.
 */
export function concernsPayee(
  payout: Pick<Payout, 'status' | 'claimUrl' | 'source' | 'statusReason' | 'legs'>,
): boolean {
  const { status, source, statusReason } = payout;
  if (waitsForPayee(payout)) return source !== 'batch' || isAskedAgain(payout);
  return status === 'returned' || (status === 'held' && noticeOf(statusReason) === 'set_up');
}

/** The link of a later try is another one; that of a second payment is no link to this one. null: there is no news of it. */
export function newLinkIn(fact: LookupFact, { claimedAt, claimUrl }: Linked): string | null {
  if (fact.kind !== 'awaiting_payee' || claimedAt !== null) return null;
  const link = fact.claimUrl ?? OUR_PAGE.open;
  return link === claimUrl ? null : link;
}
