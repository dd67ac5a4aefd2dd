/** An operator gives a payout up, for good: nothing landed and nothing will. Money that may be under way cannot be given up. */
import { statusReason } from '#libs/domain';
import { changeOf, type Payout, type PayoutChange, withStep } from './payout';

export function givenUp(payout: Payout, why: string | null): PayoutChange {
  return withStep(changeOf(payout), {
    on: 'give_up',
    actor: 'operator',
    failureKind: 'permanent',
    statusReason: statusReason('given_up', why),
  });
}
