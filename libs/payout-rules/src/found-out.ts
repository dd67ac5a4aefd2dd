/** What an operator found out about the money of a payout that ended for good. It stays as it ended; its trail says so. */
import { reasonCodeOf, statusReason } from '#libs/domain';
import { changeOf, type Payout, type PayoutChange, withStep } from './payout';

export const FINDINGS = ['found_landed', 'found_returned'] as const;
export type Finding = (typeof FINDINGS)[number];

const WHAT: Record<Finding, string> = {
  found_landed: 'an operator found that its money arrived after all',
  found_returned: 'an operator found that its money arrived, and that the bank sent it back',
};

export function foundOut(payout: Payout, on: Finding): PayoutChange {
  const code = reasonCodeOf(payout.statusReason);
  return withStep(changeOf(payout), {
    on,
    actor: 'operator',
    failureKind: payout.failureKind ?? undefined,
    statusReason: code ? statusReason(code, WHAT[on]) : undefined,
  });
}
