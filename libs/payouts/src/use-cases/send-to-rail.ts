/**
 * Calls the rail for a payout that is committed as submitted, and applies what it said. No transaction is open during the
 * call; a crash at any point leaves a payout that is looked up, or sent again under the same code.
 */
import { Injectable } from '@nestjs/common';
import { systemClock } from '#libs/domain';
import { PayeeReads } from '#libs/payees';
import { Gatherer } from '#libs/gatherer';
import type { LookupFact, RailOrder } from '#libs/rail-kit';
import { RailCaller, Rails } from '#libs/rail-registry';
import { changeOf, type Payout, withStep } from '../payout';
import { isSentByRequest } from '../sent-by-request';
import { ApplyRailFact } from './apply-rail-fact';
import { ChangePayout } from './change-payout';
import { submission } from './payout-gates';

@Injectable()
export class SendToRail {
  /** Jobs that start together step together, in one transaction. */
  private readonly submissions = new Gatherer<string, Payout>((ids) => this.submitAll(ids), { most: 64, atOnce: 2 });

  constructor(
    private readonly change: ChangePayout,
    private readonly payees: PayeeReads,
    private readonly caller: RailCaller,
    private readonly rails: Rails,
    private readonly apply: ApplyRailFact,
  ) {}

  /** For the request that made or changed the payout: a rail that settles at once is called here, the queue sees to others. */
  async finish(payout: Payout): Promise<Payout> {
    const mine = payout.status === 'submitted' && isSentByRequest(payout, this.rails.traits(payout.provider));
    return mine ? this.send(payout) : payout;
  }

  /** From authorized to submitted, and to the rail. Another worker may have been faster: then there is nothing to do. */
  async submit(payoutId: string): Promise<Payout> {
    const payout = await this.submissions.add(payoutId);
    return payout.status === 'submitted' && payout.toSend ? this.send(payout) : payout;
  }

  private async submitAll(payoutIds: string[]): Promise<Payout[]> {
    const payouts = await this.change.all([...new Set(payoutIds)], (locked) =>
      locked
        .filter(({ status }) => status === 'authorized')
        .map((payout) => withStep(changeOf(payout), payout.provider ? submission('system') : LOST_PROVIDER)),
    );
    const byId = new Map(payouts.map((payout) => [payout.id, payout]));
    return payoutIds.map((id) => {
      const payout = byId.get(id);
      if (!payout) throw new Error(`Payout ${id} is gone.`);
      return payout;
    });
  }

  /** Past the time for which the rail honours a code, sending it again could pay again: then the rail is only asked. */
  async send(payout: Payout): Promise<Payout> {
    if (!this.codeIsHonoured(payout)) return this.lookUp(payout);
    const order = await this.orderOf(payout);
    return this.apply.run(payout, await this.caller.submit(payout.provider ?? '', order), 'submission');
  }

  /** Asks the rail what became of the payout. */
  async lookUp(payout: Payout): Promise<Payout> {
    return this.learn(payout, await this.ask(payout));
  }

  learn(payout: Payout, fact: LookupFact): Promise<Payout> {
    return this.apply.run(payout, fact, 'lookup');
  }

  /** For whoever alone sees to the payout: never seen there, it is sent again, while its code is honoured. */
  async resume(payout: Payout): Promise<Payout> {
    const fact = await this.ask(payout);
    if (fact.kind === 'never_seen' && payout.status === 'submitted' && this.codeIsHonoured(payout))
      return this.send(payout);
    return this.learn(payout, fact);
  }

  /** What the rail says of it, without any consequence here. */
  async ask(payout: Payout): Promise<LookupFact> {
    return this.caller.lookup(payout.provider ?? '', await this.orderOf(payout));
  }

  async orderOf(payout: Payout): Promise<RailOrder> {
    const payee = await this.payees.find(payout.clientId, payout.payeeId);
    if (!payee) throw new Error(`Payee ${payout.payeeId} of payout ${payout.id} is gone.`);
    const { id, externalId, email, name, country } = payee;
    const { railKey, amountCents, currency, reason, accountId } = payout;
    return {
      railKey,
      payoutId: payout.id,
      amountCents,
      currency,
      reason,
      accountId,
      payee: { id, externalId, email, name, country },
    };
  }

  private codeIsHonoured(payout: Payout): boolean {
    const retention = this.rails.traits(payout.provider)?.keyRetentionSeconds ?? null;
    if (retention === null) return true;
    if (payout.submittedAt === null) return true;
    return systemClock.now().getTime() - payout.submittedAt.getTime() < retention * 1000;
  }
}

const LOST_PROVIDER = {
  on: 'refuse',
  actor: 'system',
  failureKind: 'permanent',
  statusReason: 'authorized_payout_missing_provider',
} as const;
