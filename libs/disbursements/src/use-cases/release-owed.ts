/**
 * Releases what a payee is owed, as one payout per currency: because it was asked for, or because the payee's rail takes
 * owed money by itself. Two at once never release a row twice: each holds the payee's lock.
 */
import { Injectable } from '@nestjs/common';
import type { Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { FairSlots } from '#libs/gatherer';
import {
  DisbursementBook,
  DisbursementReads,
  type Earlier,
  type Owed,
  type TakeLimits,
  type TakenRows,
} from '#libs/owed';
import type { Payee } from '#libs/payees';
import { type Actor, type Consolidation, ConsolidatePayouts, type Payout, SendToRail } from '#libs/payouts';
import { aboveMaximum, belowMinimum, takeLimits, WithdrawGates, type WithdrawSource } from './withdraw-gates';

const NO_LIMITS: TakeLimits = { minCents: 0, maxCents: Number.MAX_SAFE_INTEGER };

export interface Released {
  payouts: Payout[];
  /** What went into each payout. */
  rows: Map<string, TakenRows>;
  awaitingFunding: number;
  /** It was more than one payout takes. */
  more: boolean;
}

interface Sight {
  owed: Owed[];
  /** For when the amounts are within their limits. */
  refusal: Refusal | null;
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
    private readonly reads: DisbursementReads,
    private readonly consolidation: ConsolidatePayouts,
    private readonly store: DisbursementBook,
    private readonly gates: WithdrawGates,
    private readonly sender: SendToRail,
  ) {}

  /** Refuses where the policy of the client, or the payee's state, is against it. */
  async withdraw(client: Client, payeeId: string, source: WithdrawSource, actor: Actor): Promise<Released> {
    const look = async (now: Client, payee: Payee, free: string[]): Promise<Sight> => {
      const owed = await this.reads.owed(payee.id, free);
      const waiting = owed.length === 0 && (await this.reads.earlier(now.id, payee.id)).length > 0;
      return { owed, refusal: await this.gates.check(now, payee, source, { owed, waiting }) };
    };
    return this.released({ client, payeeId, source, actor }, look, (now) => takeLimits(now, source));
  }

  /** When owed money may leave again; null if nothing is against it. */
  waitsUntil(client: Client, payee: Payee): Date | null {
    return this.gates.waitsUntil(client, payee);
  }

  /** Releases what can be; nothing, where the payee cannot be paid. */
  byItself(client: Client, payeeId: string): Promise<Released> {
    const look = async (now: Client, payee: Payee, free: string[]): Promise<Sight> => ({
      owed: this.gates.isOpenTo(now, payee) ? await this.reads.owed(payee.id, free) : [],
      refusal: null,
    });
    return this.released({ client, payeeId, source: 'auto_release', actor: 'system' }, look, () => NO_LIMITS);
  }

  /** Rails may take their time to answer, and so may whoever holds the payee: what the client allows is read after that. */
  private async released(
    what: Pick<Consolidation, 'client' | 'payeeId' | 'source' | 'actor'>,
    look: (client: Client, payee: Payee, free: string[]) => Promise<Sight>,
    limitsOf: (client: Client) => TakeLimits,
  ): Promise<Released> {
    const earlier = (): Promise<Earlier[]> => this.reads.earlier(what.client.id, what.payeeId);
    const cleared = await this.consolidation.ask({ earlier });
    let takes: Take[] = [];
    let limits = NO_LIMITS;
    let refusal: Refusal | null = null;
    const consolidation: Consolidation = {
      ...{ ...what, earlier },
      look: async (client, payee, free) => {
        takes = []; // a transaction that gave way starts anew
        limits = limitsOf(client);
        const sight = await look(client, payee, free);
        refusal = sight.refusal;
        return sight.owed.map(({ currency }) => currency);
      },
      take: async (order) => {
        const taken = await this.store.take(order, limits);
        takes.push({ payoutId: order.payoutId, taken });
        return taken.rows === 0 ? null : taken;
      },
      taken: () => {
        refuseIfOutside(takes, limits);
        if (refusal) throw refusal;
      },
    };
    const made = await this.consolidation.run(consolidation, cleared, (work) => this.slots.run(what.client.id, work));
    const payouts = await Promise.all(made.map((payout) => this.sender.finish(payout)));
    const rows = new Map(takes.map(({ payoutId, taken }) => [payoutId, taken]));
    const awaitingFunding = takes.reduce((sum, { taken }) => sum + taken.left, 0);
    return { payouts, rows, awaitingFunding, more: takes.some(({ taken }) => taken.more && taken.rows > 0) };
  }
}

interface Take {
  payoutId: string;
  taken: TakenRows;
}

/** More was pushed since it was looked at, or the wallet covers another sum. What waits for funds is no reason to refuse. */
function refuseIfOutside(takes: { taken: TakenRows }[], { minCents, maxCents }: TakeLimits): void {
  const all = takes.map(({ taken }) => taken);
  if (all.some(({ rows }) => rows > 0)) return;
  if (all.some(({ outside }) => outside === 'above')) throw aboveMaximum(maxCents);
  if (all.every(({ left }) => left === 0) && all.some(({ outside }) => outside === 'below'))
    throw belowMinimum(minCents);
}
