/**
 * Calls the rail for a payout that is committed as submitted, and applies what it said. No transaction is open during the
 * call; a crash at any point leaves a payout that is looked up, or sent again under the same code.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { PayeeStore } from '#libs/payees';
import type { LookupFact, RailOrder } from '#libs/rail-kit';
import { RailCaller, Rails } from '#libs/rail-registry';
import { PayoutReads } from '../db/payout.reads';
import { PayoutStore } from '../db/payout.store';
import { changeOf, type Payout, withStep } from '../payout';
import { ApplyRailFact } from './apply-rail-fact';
import { submission } from './payout-gates';
import { RailQueue } from './rail-queue';

@Injectable()
export class SendToRail {
  constructor(
    private readonly db: Db,
    private readonly reads: PayoutReads,
    private readonly store: PayoutStore,
    private readonly payees: PayeeStore,
    private readonly caller: RailCaller,
    private readonly rails: Rails,
    private readonly apply: ApplyRailFact,
    private readonly queue: RailQueue,
  ) {}

  /** For the request that made or changed the payout: a rail that settles at once is called here, the queue sees to others. */
  async finish(payout: Payout): Promise<Payout> {
    if (payout.status !== 'submitted' || this.rails.traits(payout.provider)?.settles !== 'at_once') return payout;
    return this.send(payout);
  }

  /** From authorized to submitted, and to the rail. Another worker may have been faster: then there is nothing to do. */
  async submit(payoutId: string): Promise<Payout | null> {
    const payout = await this.db.inTransaction(async () => {
      const locked = await this.reads.lock(payoutId);
      if (locked?.status !== 'authorized') return null;
      if (!locked.provider) return this.store.update(withStep(changeOf(locked), LOST_PROVIDER));
      return this.store.update(withStep(changeOf(locked), submission('system')));
    });
    return payout?.status === 'submitted' ? this.send(payout) : payout;
  }

  async send(payout: Payout): Promise<Payout> {
    const order = await this.orderOf(payout);
    return this.applied(payout, await this.caller.submit(payout.provider ?? '', order));
  }

  /** Asks the rail what became of the payout. Never seen there: the same order is sent again, while its code is honoured. */
  async lookUp(payout: Payout): Promise<Payout> {
    const fact = await this.caller.lookup(payout.provider ?? '', await this.orderOf(payout));
    if (fact.kind !== 'never_seen') return this.applied(payout, fact);
    return payout.status === 'submitted' && this.codeIsHonoured(payout) ? this.send(payout) : payout;
  }

  async orderOf(payout: Payout): Promise<RailOrder> {
    const payee = await this.payees.find(payout.clientId, payout.payeeId);
    if (!payee) throw new Error(`Payee ${payout.payeeId} of payout ${payout.id} is gone.`);
    const { id, externalId, email, name, country } = payee;
    const { railKey, amountCents, currency, reason, accountId } = payout;
    return { railKey, payoutId: payout.id, amountCents, currency, reason, accountId, payee: { id, externalId, email, name, country } };
  }

  private async applied(payout: Payout, fact: LookupFact): Promise<Payout> {
    const after = await this.apply.run(payout.id, fact);
    if (after.status !== 'submitted') await this.queue.done(after);
    return after;
  }

  private codeIsHonoured(payout: Payout): boolean {
    const retention = this.rails.traits(payout.provider)?.keyRetentionSeconds ?? null;
    if (retention === null) return true;
    const ageMs = payout.updatedAt.getTime() - (payout.submittedAt ?? payout.createdAt).getTime();
    return ageMs < retention * 1000;
  }
}

const LOST_PROVIDER = {
  on: 'refuse',
  actor: 'system',
  failureKind: 'permanent',
  statusReason: 'authorized_payout_missing_provider',
} as const;
