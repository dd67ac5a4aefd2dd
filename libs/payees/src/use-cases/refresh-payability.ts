/**
 * Asks rails about the accounts they were not asked about for a while: some rails never call back when a payee becomes
 * payable, or stops being so. Whatever the rail cannot tell now stays as it is known.
 */
import { Injectable } from '@nestjs/common';
import { kycPath, TEST_RAIL } from '#libs/domain';
import { ClientRegistry } from '#libs/clients';
import { apart } from '#libs/db';
import type { AccountFact } from '#libs/rail-kit';
import { RailCaller } from '#libs/rail-registry';
import { MethodStore } from '../db/method.store';
import type { Method, Payee } from '../payee';
import { ChangePayee } from './change-payee';

type KnownAccount = Extract<AccountFact, { kind: 'account' }>;

interface Refreshed {
  asked: number;
  changed: number;
}

const AT_A_TIME = 500;

@Injectable()
export class RefreshPayability {
  constructor(
    private readonly methods: MethodStore,
    private readonly rails: RailCaller,
    private readonly clients: ClientRegistry,
    private readonly change: ChangePayee,
  ) {}

  /** Stops early where it is told that another process is at it. */
  async run({ evenRecent = false, signal }: { evenRecent?: boolean; signal?: AbortSignal } = {}): Promise<Refreshed> {
    const sum = { asked: 0, changed: 0 };
    for (const method of await this.methods.due(AT_A_TIME, evenRecent)) {
      if (signal?.aborted) break;
      sum.asked += 1;
      const { payeeId } = method;
      if (await apart({ event: 'payee.not_refreshed', payeeId }, () => this.refresh(method))) sum.changed += 1;
    }
    return sum;
  }

  private async refresh(method: Method): Promise<boolean> {
    const { clientId, provider, providerAccountId } = method;
    const askedAt = this.rails.now();
    const fact = await this.rails.readAccount(method.testMode ? TEST_RAIL : provider, providerAccountId);
    await this.methods.checked(method.id);
    const known = await this.clients.byId(clientId);
    if (fact.kind !== 'account' || !known) return false;
    const decide = (before: Payee): Payee => standing(before, fact);
    return (await this.change.ofAccount(known.client, method, { ...fact, askedAt }, decide)) !== null;
  }
}

/** As far as legal steps of the identity check lead from where the payee stands. */
function standing(before: Payee, { payable, kyc, kycReason, onboarding }: KnownAccount): Payee {
  const wanted = payable ? 'verified' : kyc;
  if (wanted !== before.kycStatus && kycPath(before.kycStatus, wanted).length === 0) return before;
  const reason = wanted === 'rejected' ? kycReason : null;
  return { ...before, kycStatus: wanted, kycReason: reason, onboardingStatus: onboarding };
}
