/** Why a payment is held, or over, in its payee's terms: by its reason, and by what else is known of it. */
import { type Custody, isOverDailyCap, noticeOf, type PayeeNotice } from '#libs/domain';
import { lacksRailFunds, type Payout, wasNotAccepted } from '#libs/payout-rules';
import { isStopped } from './use-cases/set-up-step';
import type { Owner } from './use-cases/visit-portal';

type Ended = Pick<
  Payout,
  'amountCents' | 'status' | 'failureKind' | 'statusReason' | 'consolidates' | 'supersededBy' | 'submittedAt'
>;

/** It is about to be sent, but waits, because nothing is sent to its payee now. Nothing else holds it, so it is not held in the books. */
export const isKept = (payout: Pick<Payout, 'status'>, { client, payee }: Owner): boolean =>
  isToBeSent(payout) && isStopped(client, payee);

const isToBeSent = ({ status }: Pick<Payout, 'status'>): boolean => status === 'requested' || status === 'authorized';

const WAITS_FOR_OTHERS: ReadonlySet<PayeeNotice> = new Set(['tomorrow', 'too_little', 'being_seen_to'] as const);

/**
 * For payments that are held, kept or over. One that waits for its amount, or for somebody else, is held for its account at its next turn,
 * if that is not ready any more.
 */
export function noticeTo(payable: boolean, payout: Ended, custody: Custody | null): PayeeNotice {
  if (isToBeSent(payout)) return 'on_hold';
  const notice = noticeAbout(payout);
  const isForAccount = !payable && (custody ?? 'custodial') === 'custodial';
  return isForAccount && WAITS_FOR_OTHERS.has(notice) ? 'set_up' : notice;
}

export function noticeAbout(payout: Ended): PayeeNotice {
  const { amountCents, status, failureKind, statusReason, consolidates } = payout;
  const notice = noticeOf(statusReason);
  if (notice === 'set_up' && wasNotAccepted(payout)) return 'not_accepted';
  if (notice === 'tried_again' && !lacksRailFunds(payout)) return 'being_seen_to';
  // An amount above the cap of a whole day waits for a person, and not for another day.
  if (notice === 'tomorrow' && isOverDailyCap(amountCents, statusReason)) return 'being_seen_to';
  // Nobody tries again what failed for good: what it paid is owed again, or nothing comes of it.
  const isForGood = status === 'failed' && failureKind === 'permanent';
  if (notice !== 'being_seen_to' || !isForGood) return notice;
  return consolidates ? 'called_off' : 'not_taken';
}
