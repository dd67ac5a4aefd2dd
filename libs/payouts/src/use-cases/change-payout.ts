/**
 * The one way payouts come to be and change: in one transaction, locked in one order (payees, then payouts), written by the
 * store, and with the job that sees to what follows.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { type Payee, PayeeStore } from '#libs/payees';
import { PayoutReads } from '../db/payout.reads';
import { PayoutStore } from '../db/payout.store';
import type { Payout, PayoutChange } from '../payout';
import { RailQueue } from './rail-queue';

/** What a change is decided on; the payee is locked with its payout where the decision looks at other payouts too. */
export interface LockedPayout {
  payout: Payout;
  payee: Payee;
}

@Injectable()
export class ChangePayout {
  constructor(
    private readonly db: Db,
    private readonly payees: PayeeStore,
    private readonly reads: PayoutReads,
    private readonly store: PayoutStore,
    private readonly queue: RailQueue,
  ) {}

  /** Makes new payouts of these payees; answers those whose key was free. */
  create(payeeIds: string[], decide: (payees: Map<string, Payee>) => Promise<PayoutChange[]>): Promise<Payout[]> {
    return this.db.inTransaction(async () => {
      const payees = await this.payees.lockAll([...new Set(payeeIds)]);
      const changes = await decide(new Map(payees.map((payee) => [payee.id, payee])));
      const created = changes.length > 0 ? await this.store.insert(changes) : [];
      await this.queue.follow(created);
      return created;
    });
  }

  /** Changes a payout with its payee locked: no other payout of the payee passes its gates meanwhile. */
  withPayee(payout: Payout, decide: (locked: LockedPayout) => Promise<PayoutChange>): Promise<Payout> {
    return this.db.inTransaction(async () => {
      const [payee] = await this.payees.lockAll([payout.payeeId]);
      if (!payee) throw new Error(`Payee ${payout.payeeId} of payout ${payout.id} is gone.`);
      return this.alone(payout.id, (locked) => decide({ payout: locked, payee }));
    });
  }

  /** Changes a payout by itself; null from `decide` leaves it as it is. */
  alone(
    payoutId: string,
    decide: (payout: Payout) => Promise<PayoutChange | null> | PayoutChange | null,
  ): Promise<Payout> {
    return this.db.inTransaction(async () => {
      const payout = await this.reads.lock(payoutId);
      if (!payout) throw new Error(`Payout ${payoutId} is gone.`);
      const change = await decide(payout);
      if (!change) return payout;
      const changed = await this.store.update(change);
      await this.queue.follow([changed]);
      return changed;
    });
  }
}
