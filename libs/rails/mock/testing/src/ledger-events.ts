/** What becomes of a payment in a ledger like the mock's, as the conformance suite has it happen. */
import type { OutcomeFact, RailStore } from '#libs/rail-kit';
import type { AccountEvent, ProviderEvent, WorldParts } from '#libs/rail-kit/testing';
import { ACCOUNT, type KeptAccount, OPENING } from '../../src/mock.accounts';
import { directed, type Payment } from '../../src/mock.ledger';

export const happensInLedger =
  ({ store, clock }: { store: RailStore; clock: WorldParts['clock'] }) =>
  async (railKey: string, event: ProviderEvent): Promise<void> => {
    const outcome = outcomeOf(event);
    await store.update<Payment>(`payment:${railKey}`, (payment) => ({
      ...payment,
      ...directed(payment, outcome, clock.now()),
    }));
  };

function outcomeOf(event: ProviderEvent): OutcomeFact {
  switch (event.kind) {
    case 'settles':
      return { kind: 'settled' };
    case 'refused':
      return { kind: 'refused', failure: 'permanent', reason: 'the bank would not take it' };
    case 'expires':
      return { kind: 'refused', failure: 'expired', reason: 'nobody came for it' };
    case 'bounces':
      return { kind: 'bounced', feeCents: event.feeCents };
  }
}

const STANDS: Record<AccountEvent['kind'], Pick<KeptAccount, 'kyc' | 'onboarding'>> = {
  verified: { kyc: 'verified', onboarding: 'complete' },
  rejected: { kyc: 'rejected', onboarding: 'restricted' },
};

/** The same of accounts. */
export const becomesInLedger =
  (store: RailStore) =>
  async (accountId: string, event: AccountEvent): Promise<void> => {
    const kycReason = event.kind === 'rejected' ? event.reason : null;
    const standing = { ...STANDS[event.kind], kycReason };
    await store.claim<KeptAccount>(ACCOUNT + accountId, { ...standing, name: null });
    await store.update<KeptAccount>(ACCOUNT + accountId, ({ name }) => ({ ...standing, name }));
  };

export const openedInLedger = (store: RailStore) => async (): Promise<number> =>
  (await store.list(new Date(0))).filter(({ key }) => key.startsWith(OPENING)).length;
