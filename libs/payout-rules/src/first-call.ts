/** What keeps a first call back when a send is taken on, although its payout passed the gates; and what becomes of the payout then. */
import { isOurPage, OUR_PAGE, statusReason } from '#libs/domain';
import { IN_DISPUTE } from './goes-on';
import { isInLegs, legsAtRest } from './legs';
import { type Payout, type PayoutChange, type Step, withFacts, withStep } from './payout';
import { NO_LONGER_PAYABLE } from './rail-refusal';

/** How its client and payee stand by then. */
export interface Standing {
  clientStatus: 'active' | 'suspended' | 'closed';
  blocked: boolean;
  countryBlocked: boolean;
  payable: boolean;
  disputed: boolean;
}

/** It pays to an account that its payee had before, and how that stands is not known here by now. */
export const hasUnreadAccount = (
  payout: Payout,
  look: (Standing & { accountReplaced: boolean }) | undefined,
): boolean =>
  !isInLegs(payout) &&
  payout.custody === 'custodial' &&
  look?.accountReplaced === true &&
  look.clientStatus === 'active';

/** The rail took it on, so the money is there, even if the rail has forgotten it: whoever moves it has to say so. */
export const isAtItsRail = ({ acceptedAttempt, sentElsewhere }: Payout): boolean =>
  acceptedAttempt !== null && !sentElsewhere;

/** `isHonoured`: its rail honours its code still. */
export function firstCallBlocker(
  { custody, sentElsewhere }: Payout,
  { clientStatus, blocked, countryBlocked, payable, disputed }: Standing,
  isHonoured: boolean,
): Step | null {
  if (disputed) return held('route_blocked', IN_DISPUTE);
  if (clientStatus === 'closed') return held('route_blocked', 'the client is closed');
  if (blocked) return held('route_blocked', 'the payee is blocked by the operator');
  if (countryBlocked) return held('route_blocked', 'the country is blocked by the operator');
  if (custody === 'custodial' && !payable) return held('not_payable', NO_LONGER_PAYABLE);
  return isHonoured ? null : held('route_blocked', sentElsewhere ? SENT_ELSEWHERE : CODE_IS_OLD);
}

const CODE_IS_OLD =
  'its rail no longer honours its code; find out there whether it was paid, and fail it or release it';
const SENT_ELSEWHERE =
  'it was sent with another account of its provider; find out there whether it was paid, and fail it, or bind that account again';

const held = (reason: 'route_blocked' | 'not_payable', detail: string): Step => ({
  on: 'block',
  actor: 'system',
  failureKind: 'transient',
  statusReason: statusReason(reason, detail),
});

/** The earlier send never arrived, whatever its rail once said, or is long over. How long the rail honours the code still counts from then. */
export function keptBack(change: PayoutChange, blocker: Step): PayoutChange {
  const claimUrl = isOurPage(change.after.claimUrl) ? OUR_PAGE.soon : null;
  const nothingSent = { toSend: false, openAttempts: [], acceptedAttempt: null, claimedAt: null, claimUrl };
  return withStep(withFacts(change, { ...nothingSent, legs: legsAtRest(change.after) }), blocker);
}

export const LOST_PROVIDER = {
  on: 'refuse',
  actor: 'system',
  failureKind: 'permanent',
  statusReason: 'authorized_payout_missing_provider',
} as const;
