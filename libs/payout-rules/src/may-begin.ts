/** Whether a payee may say now where money goes that waits for them. */
import { IllegalTransition, Refusal } from '#libs/domain';
import { destinationOf, legForPayee } from './begun-legs';
import type { Standing } from './first-call';
import type { Payout } from './payout';

/** They, or their country: money that waits for them stays where it is meanwhile. Nobody says where it goes, nor is led to it. */
export const isBlocked = ({ blocked, countryBlocked }: Pick<Standing, 'blocked' | 'countryBlocked'>): boolean =>
  blocked || countryBlocked;

export function refuseUnlessItsPayees(payout: Payout): void {
  if (!legForPayee(payout) && destinationOf(payout) === null) throw new IllegalTransition(payout.status, 'claim');
}

/** It goes to that address already. Another one comes too late. */
export function isBegunTo(payout: Payout, destination: string): boolean {
  const fixed = destinationOf(payout);
  if (fixed !== null && fixed !== destination) throw new Refusal('destination_fixed', FIXED);
  return fixed !== null;
}

/** How they stand is not known without a look, and then nothing is begun. */
export function refuseBlocked(look: Standing | undefined): void {
  if (!look || isBlocked(look)) throw new Refusal('payee_not_payable', BLOCKED);
}

const FIXED = 'The money is on its way to another address, which was given before.';
const BLOCKED = 'The payee, or their country, is blocked by the operator: their money stays where it is meanwhile.';
