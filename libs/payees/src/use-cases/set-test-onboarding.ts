/** What the mock rail's hosted page does when a payee finishes it, for tests: test-mode clients only. */
import { Injectable } from '@nestjs/common';
import { type KycStatus, kycPath, type OnboardingStatus, Refusal } from '#libs/domain';
import type { Client } from '#libs/auth';
import { Db } from '#libs/db';
import { NOT_THERE } from '#libs/http-kit';
import { MethodStore } from '../db/method.store';
import { PayeeStore } from '../db/payee.store';
import type { Payee } from '../payee';
import { ChangePayee } from './change-payee';

export const ONBOARDING_OUTCOMES = ['verified', 'pending', 'rejected'] as const;
export type OnboardingOutcome = (typeof ONBOARDING_OUTCOMES)[number];

const ONBOARDING_AFTER: Record<OnboardingOutcome, OnboardingStatus> = {
  verified: 'complete',
  pending: 'in_progress',
  rejected: 'restricted',
};

@Injectable()
export class SetTestOnboarding {
  constructor(
    private readonly db: Db,
    private readonly payees: PayeeStore,
    private readonly methods: MethodStore,
    private readonly change: ChangePayee,
  ) {}

  run(client: Client, payeeId: string, outcome: OnboardingOutcome, reason: string | null): Promise<Payee> {
    return this.db.inTransaction(async () => {
      const before = client.testMode ? await this.payees.lock(client.id, payeeId) : null;
      if (!before) throw new Refusal('payee_not_found', NOT_THERE);
      await this.methods.setPayable(payeeId, outcome === 'verified', null);
      // A rail reports ends, not steps: each legal step on the way is taken, and told, in turn.
      const steps: KycStatus[] = kycPath(before.kycStatus, outcome);
      let payee = before;
      for (const kycStatus of steps.length > 0 ? steps : [outcome]) {
        const kycReason = kycStatus === 'rejected' ? reason : null;
        payee = await this.change.apply(client, payee, { ...payee, kycStatus, kycReason, onboardingStatus: ONBOARDING_AFTER[kycStatus as OnboardingOutcome] });
      }
      return payee;
    });
  }
}
