/**
 * Releases what a payee is owed, as one payout per currency: because it was asked for, or because the payee's rail takes
 * owed money by itself. Two at once never release a row twice: each holds the payee's lock.
 */
import { Injectable } from '@nestjs/common';
import { FairSlots } from '#libs/batcher';
import type { Client } from '#libs/clients';
import type { TakenRows } from '#libs/owed';
import type { Payee } from '#libs/payees';
import type { Actor, Payout } from '#libs/payout-rules';
import { ConsolidatePayouts, type Consolidation, SendToRail } from '#libs/payouts';
import { type IsTheirs, WithdrawGates, type WithdrawSource } from './withdraw-gates';

export interface Released {
  payouts: Payout[];
  /** What went into each payout. */
  rows: Map<string, TakenRows>;
  awaitingFunding: number;
  /** It was more than one payout takes. */
  more: boolean;
}

/**
 * A withdrawal of many rows may take seconds, and a connection for as long. Rails are asked before its turn comes, and what
 * somebody holds is waited for outside.
 */
const WITHDRAWALS = { atOnce: 4, perLane: 2 };

@Injectable()
export class ReleaseOwed {
  private readonly slots = new FairSlots(WITHDRAWALS);

  constructor(
    private readonly consolidation: ConsolidatePayouts,
    private readonly gates: WithdrawGates,
    private readonly sender: SendToRail,
  ) {}

  /** Refuses if the policy of the client, or the payee's state, is against it. */
  withdraw(
    client: Client,
    payeeId: string,
    source: WithdrawSource,
    actor: Actor,
    { mayAsk, isTheirs }: { mayAsk?: () => boolean; isTheirs?: IsTheirs } = {},
  ): Promise<Released> {
    return this.released({ client, payeeId, source, actor, mayAsk, rule: this.gates.withdrawal(source, isTheirs) });
  }

  leavesByItself(payee: Payee): boolean {
    return this.gates.leavesByItself(payee);
  }

  /** When owed money may leave again; null if nothing is against it. */
  waitsUntil(client: Client, payee: Payee): Date | null {
    return this.gates.waitsUntil(client, payee);
  }

  /** Releases what can be; nothing if the payee cannot be paid. */
  byItself(client: Client, payeeId: string): Promise<Released> {
    const rule = this.gates.byItself;
    return this.released({ client, payeeId, source: 'auto_release', actor: 'system', rule });
  }

  private async released(asked: Consolidation): Promise<Released> {
    const {
      payouts: made,
      isFound,
      takes,
    } = await this.consolidation.run(asked, (work) => this.slots.run(asked.client.id, work));
    const payouts = isFound ? made : await Promise.all(made.map((payout) => this.sender.sendOwn(payout)));
    const taken = [...takes.values()].map(({ rows }) => rows);
    return {
      payouts,
      rows: new Map([...takes].map(([payoutId, { rows }]) => [payoutId, rows])),
      awaitingFunding: taken.reduce((sum, { left }) => sum + left, 0),
      more: taken.some(({ rows, more }) => more && rows > 0),
    };
  }
}
