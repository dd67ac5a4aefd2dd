/**
 * Releases what a payee is owed, as one payout per currency: because it was asked for, or because the payee's rail takes
 * owed money by itself. Two at once never release a row twice: each holds the payee's lock.
 */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/auth';
import type { Payee } from '#libs/payees';
import { type Actor, type Consolidation, ConsolidatePayouts, type Payout, SendToRail } from '#libs/payouts';
import { DisbursementReads, type Owed } from '../db/disbursement.reads';
import { DisbursementStore, type TakenRows } from '../db/disbursement.store';
import { WithdrawGates, type WithdrawSource } from './withdraw-gates';

export interface Released {
  payouts: Payout[];
  /** What went into each payout. */
  rows: Map<string, TakenRows>;
  awaitingFunding: number;
}

@Injectable()
export class ReleaseOwed {
  constructor(
    private readonly reads: DisbursementReads,
    private readonly consolidation: ConsolidatePayouts,
    private readonly store: DisbursementStore,
    private readonly gates: WithdrawGates,
    private readonly sender: SendToRail,
  ) {}

  /** Refuses where the policy of the client, or the payee's state, is against it. */
  async withdraw(client: Client, payeeId: string, source: WithdrawSource, actor: Actor): Promise<Released> {
    const look = async (payee: Payee): Promise<Owed[]> =>
      this.gates.check(client, payee, source, await this.reads.owed(payee.id));
    return this.released({ client, payeeId, source, actor }, look);
  }

  /** Releases what can be; nothing, where the payee cannot be paid. */
  byItself(client: Client, payeeId: string): Promise<Released> {
    const look = async (payee: Payee): Promise<Owed[]> =>
      payee.payable ? this.gates.payableAtOnce(await this.reads.owed(payee.id)) : [];
    return this.released({ client, payeeId, source: 'auto_release', actor: 'system' }, look);
  }

  private async released(
    what: Pick<Consolidation, 'client' | 'payeeId' | 'source' | 'actor'>,
    look: (payee: Payee) => Promise<Owed[]>,
  ): Promise<Released> {
    let rows = new Map<string, TakenRows>();
    let awaitingFunding = 0;
    const made = await this.consolidation.run({
      ...what,
      look: async (payee) => {
        // A transaction that gave way in a deadlock starts anew, and so does the count.
        rows = new Map();
        awaitingFunding = 0;
        const owed = await look(payee);
        return { currencies: owed.map(({ currency }) => currency), earlier: owed.flatMap(({ earlier }) => earlier) };
      },
      take: async (order) => {
        const taken = await this.store.take(order);
        awaitingFunding += taken.left;
        if (taken.rows === 0) return null;
        rows.set(order.payoutId, taken);
        return taken;
      },
    });
    const payouts = await Promise.all(made.map((payout) => this.sender.finish(payout)));
    return { payouts, rows, awaitingFunding };
  }
}
