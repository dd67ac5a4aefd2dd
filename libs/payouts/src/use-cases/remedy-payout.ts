/** What can be done about a payout that is held or failed: release it, or try it again, under the same rail code. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { ClientRegistry } from '#libs/auth';
import { type Actor, changeOf, type Payout, type PayoutChange } from '../payout';
import { ChangePayout, type LockedPayout } from './change-payout';
import { PayoutGates } from './payout-gates';
import { SendToRail } from './send-to-rail';

@Injectable()
export class RemedyPayout {
  constructor(
    private readonly change: ChangePayout,
    private readonly clients: ClientRegistry,
    private readonly gates: PayoutGates,
    private readonly sender: SendToRail,
  ) {}

  /** Puts a held payout to its gates again; the floor does not count. */
  async release(payout: Payout, actor: Actor): Promise<Payout> {
    const after = await this.change.withPayee(payout, (locked) => {
      const { status } = locked.payout;
      if (status !== 'held') throw new Refusal('payout_not_releasable', `The payout is ${status}, not held.`);
      return this.judged(locked, actor);
    });
    return this.sender.finish(after);
  }

  /** Puts it to its gates too: a payee may have been blocked since, and a cap used up. */
  async retry(payout: Payout, actor: Actor): Promise<Payout> {
    const after = await this.change.withPayee(payout, (locked) => {
      const { status, failureKind } = locked.payout;
      if (status !== 'failed') throw notRetryable(`The payout is ${status}, not failed.`);
      if (failureKind !== 'transient') throw notRetryable('The failure is permanent.');
      return this.judged(locked, actor);
    });
    return this.sender.finish(after);
  }

  private async judged({ payout, payee }: LockedPayout, actor: Actor): Promise<PayoutChange> {
    const known = await this.clients.byId(payout.clientId);
    if (!known) throw new Error(`Client ${payout.clientId} of payout ${payout.id} is gone.`);
    const view = await this.gates.view([payee.id]);
    return this.gates.judge(changeOf(payout), view, { client: known.client, payee, actor, bypassFloor: true });
  }
}

const notRetryable = (message: string): Refusal => new Refusal('payout_not_retryable', message);
