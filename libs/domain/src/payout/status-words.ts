/** The words a client reads for a payout's status: version 1 is what the service stores, version 2 is derived. */
import type { PayoutStatus } from './transitions';

export const STATUS_VERSIONS = [1, 2] as const;
export type StatusVersion = (typeof STATUS_VERSIONS)[number];
export type StatusWord = PayoutStatus | 'sent' | 'awaiting_withdraw';

/** What a rail's custody says about a payout under way: with a custody-free rail the payee has to act. */
export type Custody = 'custodial' | 'claim' | 'swap';

export interface WordFacts {
  status: PayoutStatus;
  custody: Custody | null;
  claimed: boolean;
}

export function statusWord(facts: WordFacts, version: StatusVersion): StatusWord {
  if (version === 1) return facts.status;
  switch (facts.status) {
    case 'requested':
    case 'authorized':
      return 'sent';
    case 'submitted':
      return awaitsPayee(facts) ? 'awaiting_withdraw' : 'sent';
    default:
      return facts.status;
  }
}

/** A claimed payout is on its way; one that went into a wallet awaits the payee until it settles. */
export function awaitsPayee({ custody, claimed }: Pick<WordFacts, 'custody' | 'claimed'>): boolean {
  return custody === 'swap' || (custody === 'claim' && !claimed);
}
