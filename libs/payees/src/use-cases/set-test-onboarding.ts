/** Ends onboarding as the mock rail's hosted page does when a payee finishes it, for tests: test-mode clients only. */
import { Injectable } from '@nestjs/common';
import { type KycStatus, kycPath, type OnboardingStatus, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { TEST_RAIL } from '#libs/rail-kit';
import { AccountCaller } from '#libs/rail-registry';
import { MethodStore } from '../db/method.store';
import type { Payee, Standing } from '../payee';
import { ChangePayee } from './change-payee';

export const ONBOARDING_OUTCOMES = ['verified', 'pending', 'rejected'] as const;
export type OnboardingOutcome = (typeof ONBOARDING_OUTCOMES)[number];

const ONBOARDING_AFTER: Record<KycStatus, OnboardingStatus> = {
  not_started: 'not_started',
  verified: 'complete',
  pending: 'in_progress',
  rejected: 'restricted',
};

@Injectable()
export class SetTestOnboarding {
  constructor(
    private readonly change: ChangePayee,
    private readonly methods: MethodStore,
    private readonly caller: AccountCaller,
  ) {}

  /** A rail reports ends, not steps: each legal step on the way is taken, and told, in turn. */
  async run(client: Client, payeeId: string, outcome: OnboardingOutcome, reason: string | null): Promise<Payee> {
    if (!client.testMode) throw new Refusal('payee_not_found');
    await this.tellProvider(client, payeeId, outcome, reason);
    return this.change.locked(client, payeeId, async (before) => {
      await this.change.setTestAccount(payeeId, outcome === 'verified');
      const steps = kycPath(before.kycStatus, outcome);
      let payee = before;
      for (const step of steps.slice(0, -1))
        payee = await this.change.apply(client, payee, standing(payee, step, reason));
      return standing(payee, outcome, reason);
    });
  }

  /** So that anybody who reads the account later gets the same answer. */
  private async tellProvider(
    { id: clientId }: Client,
    payeeId: string,
    outcome: OnboardingOutcome,
    reason: string | null,
  ): Promise<void> {
    const method = await this.methods.activeOf(payeeId);
    if (method?.clientId !== clientId) return;
    const { kycStatus: kyc, kycReason, onboardingStatus: onboarding } = standingAfter(outcome, reason);
    await this.caller.direct(TEST_RAIL, method.providerAccountId, { kyc, kycReason, onboarding });
  }
}

const standing = (payee: Payee, kycStatus: KycStatus, reason: string | null): Payee => ({
  ...payee,
  ...standingAfter(kycStatus, reason),
});

function standingAfter(kycStatus: KycStatus, reason: string | null): Omit<Standing, 'payable'> {
  const kycReason = kycStatus === 'rejected' ? reason : null;
  return { kycStatus, kycReason, onboardingStatus: ONBOARDING_AFTER[kycStatus] };
}
