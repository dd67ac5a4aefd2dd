/** Whether a payee can be paid now. A payee who is not payable is read live from the rail, so a missed callback heals here. */
import { Injectable } from '@nestjs/common';
import { type Clock, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { InjectClock } from '#libs/clock';
import { PayeeReads } from '../db/payee.reads';
import type { Method, Payee } from '../payee';
import { PayeeRouting } from '../payee-routing';
import { ReadAccount } from './read-account';

export interface Readiness {
  payee: Payee;
  method: Method | null;
  blockers: string[];
  checkedAt: Date;
  stale: boolean;
}

@Injectable()
export class ReadReadiness {
  constructor(
    private readonly payees: PayeeReads,
    private readonly routing: PayeeRouting,
    private readonly accounts: ReadAccount,
    @InjectClock() private readonly clock: Clock,
  ) {}

  /** `mayAsk` is asked before the rail is: where it says no, the last known state is what stands. */
  async run(client: Client, payeeId: string, mayAsk: () => boolean = () => true): Promise<Readiness> {
    const known = await this.payees.find(client.id, payeeId);
    if (!known) throw new Refusal('payee_not_found');
    const stale = known.payable ? false : await this.refresh(client, known, mayAsk);
    const payee = (await this.payees.find(client.id, payeeId)) ?? known;
    const facts = await this.routing.facts(client, payee);
    const blockers = this.routing.blockers(facts).flatMap(({ reason }) => readinessWords(reason, payee));
    return { payee: this.routing.resolved(facts), method: facts.method, blockers, checkedAt: this.clock.now(), stale };
  }

  /** true when the rail could not be asked, so that the last known state is what stands. */
  private async refresh(client: Client, payee: Payee, mayAsk: () => boolean): Promise<boolean> {
    const { method } = await this.routing.facts(client, payee);
    if (!method) return false;
    if (!mayAsk()) return true;
    return ['silent', 'not_now'].includes(await this.accounts.run(client, method));
  }
}

/** The identity check explains why somebody is not payable; a rail that is not carried here is one that is not configured. */
function readinessWords(reason: string, payee: Payee): string[] {
  if (/^provider_.*_not_implemented$/.test(reason)) return ['provider_not_configured'];
  if (reason !== 'not_payable') return [reason];
  if (payee.kycStatus === 'verified') return ['not_payable'];
  return [payee.kycStatus === 'rejected' ? 'kyc_rejected' : 'kyc_incomplete', 'not_payable'];
}
