/** Whether a payee can be paid now. A payee who is not payable is read live from the rail, so a missed callback heals here. */
import { Injectable } from '@nestjs/common';
import { type Clock, kycPath, Refusal, TEST_RAIL } from '#libs/domain';
import { type Client, InjectClock } from '#libs/auth';
import { Db } from '#libs/db';
import { NOT_THERE } from '#libs/http-kit';
import { RailCaller } from '#libs/rail-registry';
import { MethodStore } from '../db/method.store';
import { PayeeStore } from '../db/payee.store';
import { RouteStore } from '../db/route.store';
import type { Payee } from '../payee';
import { PayeeRouting } from '../payee-routing';
import { ChangePayee } from './change-payee';

export interface Readiness {
  payee: Payee;
  blockers: string[];
  checkedAt: Date;
  stale: boolean;
}

@Injectable()
export class ReadReadiness {
  constructor(
    private readonly db: Db,
    private readonly payees: PayeeStore,
    private readonly methods: MethodStore,
    private readonly routes: RouteStore,
    private readonly routing: PayeeRouting,
    private readonly rails: RailCaller,
    private readonly change: ChangePayee,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async run(client: Client, payeeId: string): Promise<Readiness> {
    const known = await this.payees.find(client.id, payeeId);
    if (!known) throw new Refusal('payee_not_found', NOT_THERE);
    const stale = known.payable ? false : await this.refresh(client, known);
    const payee = (await this.payees.find(client.id, payeeId)) ?? known;
    const method = await this.methods.activeOf(payeeId);
    const table = await this.routes.table();
    const facts = { client, payee, method, table };
    const blockers = this.routing.blockers(facts).flatMap(({ reason }) => readinessWords(reason, payee));
    return { payee: this.routing.resolved(facts), blockers, checkedAt: this.clock.now(), stale };
  }

  /** true when the rail could not be asked, so that the last known state is what stands. */
  private async refresh(client: Client, payee: Payee): Promise<boolean> {
    const method = await this.methods.activeOf(payee.id);
    if (!method) return false;
    const fact = await this.rails.readAccount(client.testMode ? TEST_RAIL : method.provider, method.providerAccountId);
    if (fact.kind === 'unknown') return true;
    if (fact.kind === 'account' && fact.payable) await this.becamePayable(client, payee.id, fact.country);
    return false;
  }

  private becamePayable(client: Client, payeeId: string, country: string | null): Promise<void> {
    return this.db.inTransaction(async () => {
      const before = await this.payees.lock(client.id, payeeId);
      if (!before) return;
      await this.methods.setPayable(payeeId, true, country);
      if (kycPath(before.kycStatus, 'verified').length === 0 && before.kycStatus !== 'verified') return;
      await this.change.apply(client, before, { ...before, kycStatus: 'verified', kycReason: null, onboardingStatus: 'complete' });
    });
  }
}

/** The identity check explains why somebody is not payable; a rail that is not carried here is one that is not configured. */
function readinessWords(reason: string, payee: Payee): string[] {
  if (/^provider_.*_not_implemented$/.test(reason)) return ['provider_not_configured'];
  if (reason !== 'not_payable') return [reason];
  if (payee.kycStatus === 'verified') return ['not_payable'];
  return [payee.kycStatus === 'rejected' ? 'kyc_rejected' : 'kyc_incomplete', 'not_payable'];
}
