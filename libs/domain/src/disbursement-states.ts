/** Where an owed row stands. It takes no steps of its own: it follows the payout it is attached to. */
import type { PayoutStatus } from './payout/transitions';

export const DISBURSEMENT_STATUSES = ['owed', 'released', 'paid', 'returned'] as const;
export type DisbursementStatus = (typeof DISBURSEMENT_STATUSES)[number];

const FOLLOWS = {
  requested: 'released',
  authorized: 'released',
  submitted: 'released',
  held: 'released',
  failed: 'owed',
  paid: 'paid',
  returned: 'returned',
} as const satisfies Record<PayoutStatus, DisbursementStatus>;

export const rowStatusOf = (payout: PayoutStatus): DisbursementStatus => FOLLOWS[payout];
