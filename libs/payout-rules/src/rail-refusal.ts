/** What a definite refusal does to a payout, by the class that its rail gave it. */
import { reasonCodeOf, statusReason } from '#libs/domain';
import type { Refused } from '#libs/rail-kit';
import { type Payout, type PayoutChange, withStep } from './payout';

/**
 * A rail that is out of money holds what goes to accounts, and fails what would wait for its payee. What is wrong with an
 * account, or with our own credentials, is nothing that the payout did: it is held until that is mended.
 */
export function refused(change: PayoutChange, { failure, reason }: Refused): PayoutChange {
  if (failure === 'account' || failure === 'credentials')
    return withStep(change, {
      on: 'block',
      actor: 'rail',
      failureKind: 'transient',
      statusReason: statusReason(failure === 'account' ? 'not_payable' : 'provider_not_configured', reason),
    });
  if (failure === 'expired')
    return withStep(change, {
      on: 'refuse',
      actor: 'rail',
      failureKind: 'permanent',
      statusReason: statusReason('claim_expired', reason),
    });
  if (failure !== 'funding')
    return withStep(change, {
      on: 'refuse',
      actor: 'rail',
      failureKind: failure,
      statusReason: statusReason('rail_refused', reason),
    });
  if (change.after.custody === 'custodial')
    return withStep(change, {
      on: 'block',
      actor: 'rail',
      failureKind: 'transient',
      shortOf: 'rail',
      statusReason: statusReason('insufficient_funds', reason),
    });
  return withStep(change, {
    on: 'refuse',
    actor: 'rail',
    failureKind: 'transient',
    statusReason: statusReason('rail_out_of_funds', reason),
  });
}

/** The only failures that the service itself retries, unless its rows went on to another payout. */
export function lacksRailFunds({
  status,
  failureKind,
  statusReason: reason,
  supersededBy,
}: Pick<Payout, 'status' | 'failureKind' | 'statusReason' | 'supersededBy'>): boolean {
  const isShort = status === 'failed' && failureKind === 'transient' && reasonCodeOf(reason) === 'rail_out_of_funds';
  return isShort && supersededBy === null;
}

/** As our own looks say it: the account may be the trouble, and the payment never saw it. */
export const NO_LONGER_PAYABLE = 'the account is no longer payable';
const OUR_WORDS = ['not_payable', statusReason('not_payable', NO_LONGER_PAYABLE)];

/** Its rail refused it for its account. */
export const wasNotAccepted = ({
  submittedAt,
  statusReason: why,
}: Pick<Payout, 'submittedAt' | 'statusReason'>): boolean =>
  submittedAt !== null && why !== null && reasonCodeOf(why) === 'not_payable' && !OUR_WORDS.includes(why);
