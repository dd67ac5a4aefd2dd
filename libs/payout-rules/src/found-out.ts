/** What an operator found out about the money of a payout that ended for good. It stays as it ended; its trail says so. */
import { type KnownReason, statusReason } from '#libs/domain';
import { changeOf, type Payout, type PayoutChange, withStep } from './payout';

export const FINDINGS = ['found_landed', 'found_returned'] as const;
export type Finding = (typeof FINDINGS)[number];

/** The code that it ended with is replaced: a caller who acts on it would pay a second time. */
const REASON: Record<Finding, [code: KnownReason, what: string]> = {
  found_landed: ['paid_after_all', 'an operator found that its money arrived after all'],
  found_returned: ['bank_returned', 'an operator found that its money arrived, and that the bank sent it back'],
};

export function foundOut(payout: Payout, on: Finding): PayoutChange {
  return withStep(changeOf(payout), {
    on,
    actor: 'operator',
    failureKind: payout.failureKind ?? undefined,
    statusReason: statusReason(...REASON[on]),
  });
}
