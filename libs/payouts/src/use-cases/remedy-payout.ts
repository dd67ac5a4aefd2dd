/** What can be done about a payout that is held or failed: release it, or try it again, under the same rail code. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { ClientRegistry } from '#libs/auth';
import { Db } from '#libs/db';
import { PayeeStore } from '#libs/payees';
import { PayoutReads } from '../db/payout.reads';
import { PayoutStore } from '../db/payout.store';
import { type Actor, changeOf, type Payout, type PayoutChange, withStep } from '../payout';
import { PayoutGates } from './payout-gates';
import { RailQueue } from './rail-queue';
import { SendToRail } from './send-to-rail';

@Injectable()
export class RemedyPayout {
  constructor(
    private readonly db: Db,
    private readonly reads: PayoutReads,
    private readonly store: PayoutStore,
    private readonly payees: PayeeStore,
    private readonly clients: ClientRegistry,
    private readonly gates: PayoutGates,
    private readonly queue: RailQueue,
    private readonly sender: SendToRail,
  ) {}

  /** Puts a held payout to its gates again; the floor does not count. */
  release(payout: Payout, actor: Actor): Promise<Payout> {
    return this.changed(payout, (locked) => {
      if (locked.status !== 'held') throw new Refusal('payout_not_releasable', `The payout is ${locked.status}, not held.`);
      return this.judged(locked, actor);
    });
  }

  retry(payout: Payout, actor: Actor): Promise<Payout> {
    return this.changed(payout, async (locked) => {
      if (locked.status !== 'failed') throw notRetryable(`The payout is ${locked.status}, not failed.`);
      if (locked.failureKind !== 'transient') throw notRetryable('The failure is permanent.');
      return withStep(changeOf(locked), { on: 'retry', actor, facts: { toSend: true } });
    });
  }

  private async changed(payout: Payout, decide: (locked: Payout) => Promise<PayoutChange>): Promise<Payout> {
    const after = await this.db.inTransaction(async () => {
      await this.payees.lockAll([payout.payeeId]);
      const locked = await this.reads.lock(payout.id);
      if (!locked) throw new Error(`Payout ${payout.id} is gone.`);
      const changed = await this.store.update(await decide(locked));
      await this.queue.add([changed]);
      return changed;
    });
    return this.sender.finish(after);
  }

  private async judged(payout: Payout, actor: Actor): Promise<PayoutChange> {
    const [payee] = await this.payees.lockAll([payout.payeeId]);
    const known = await this.clients.byId(payout.clientId);
    if (!payee || !known) throw new Error(`Payout ${payout.id} lost its payee or client.`);
    const view = await this.gates.view([payout.payeeId]);
    return this.gates.judge(changeOf(payout), view, { client: known.client, payee, bypassFloor: true, actor });
  }
}

const notRetryable = (message: string): Refusal => new Refusal('payout_not_retryable', message);
