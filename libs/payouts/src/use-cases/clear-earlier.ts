/**
 * Before rows of a payout that was ever sent leave under another code, the rail is asked about the old one, and what it
 * says counts: money it moved or has under way after all stays with that payout. What it cannot tell keeps the rows back.
 */
import { Injectable } from '@nestjs/common';
import { DriftReads } from '../db/drift.reads';
import { PayoutReads } from '../db/payout.reads';
import type { Payout } from '../payout';
import { SendToRail } from './send-to-rail';

/** The payouts that the rail was asked about, as they stood then: it moved nothing for them, and will not. */
export type Cleared = ReadonlyMap<string, Pick<Payout, 'sequence' | 'attempt'>>;

const AT_ONCE = 8;

@Injectable()
export class ClearEarlier {
  constructor(
    private readonly reads: PayoutReads,
    private readonly drift: DriftReads,
    private readonly sender: SendToRail,
  ) {}

  /** Asks the rails; no transaction is open. */
  async ask(payoutIds: string[]): Promise<Cleared> {
    const cleared = new Map<string, Pick<Payout, 'sequence' | 'attempt'>>();
    for (let from = 0; from < payoutIds.length; from += AT_ONCE) {
      const some = payoutIds.slice(from, from + AT_ONCE);
      const answers = await Promise.all(some.map((id) => this.askAbout(id)));
      for (const payout of answers) if (payout) cleared.set(payout.id, payout);
    }
    return cleared;
  }

  /** The payout, if the rail says no. */
  private async askAbout(id: string): Promise<Payout | null> {
    const payout = await this.reads.find(id);
    if (!payout || payout.submittedAt === null || payout.status !== 'failed') return null;
    const fact = await this.sender.ask(payout, { patient: false });
    const after = await this.sender.learn(payout, fact);
    const isNo = fact.kind === 'refused' || fact.kind === 'never_seen';
    return isNo && after.status === 'failed' ? after : null;
  }

  /** Locks these payouts, and returns those whose rows may leave. */
  async lockFree(payeeId: string, payoutIds: string[], cleared: Cleared): Promise<string[]> {
    if (payoutIds.length === 0) return [];
    const earlier = await this.reads.lockAll(payoutIds);
    const disputed = await this.drift.disputedOf(payeeId);
    // What an operator looked into is not asked about again: the rail would only repeat itself.
    const decided = await this.drift.decided(payoutIds);
    return earlier
      .filter(({ id }) => !disputed.has(id))
      .filter((payout) => neverSent(payout) || decided.has(payout.id) || isCleared(payout, cleared))
      .map(({ id }) => id);
  }
}

const neverSent = ({ submittedAt }: Payout): boolean => submittedAt === null;

function isCleared({ id, sequence, attempt }: Payout, cleared: Cleared): boolean {
  const asked = cleared.get(id);
  return asked !== undefined && asked.sequence === sequence && asked.attempt === attempt;
}
