/**
 * An operator gives a payout up for good. If it was never sent, but a rail moved money under its code, as may be after a restore, giving
 * it up decides nothing about that money: a difference names it, and owed rows wait until it is resolved.
 */
import { Injectable } from '@nestjs/common';
import { DriftBook, NameListed } from '#libs/drift';
import { changeOf, givenUp, movedUnsent, type Payout, refuseIfTriedSince, withFacts } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { PayoutReads } from '../db/payout.reads';
import { AskRail } from './ask-rail';
import { ChangePayout } from './change-payout';

@Injectable()
export class GiveUpPayout {
  constructor(
    private readonly change: ChangePayout,
    private readonly listed: NameListed,
    private readonly drift: DriftBook,
    private readonly rail: AskRail,
    private readonly reads: PayoutReads,
  ) {}

  /**
   * Comes first, with no transaction open: asks the rail about a payout that was never sent as far as this database knows, which may have
   * been restored. Not all rails list what they moved. What was sent under its code by another one is that one's news. null: nothing to ask.
   */
  async ask(payout: Payout, { byCaller = false } = {}): Promise<LookupFact | null> {
    if (payout.submittedAt !== null || payout.provider === null) return null;
    const said = await this.rail.ask(payout, { patient: false, byCaller });
    if (await this.wasSentByAnother(payout)) await this.rail.apply(payout, said);
    return said;
  }

  /** `neverSeen`: an admin found out that its rail never saw it, and cannot be asked any more. `said`: what it answered. */
  async run(payout: Payout, why: string | null, neverSeen = false, said: LookupFact | null = null): Promise<Payout> {
    const heardAt = neverSeen ? await this.drift.heardAt(payout.id) : null;
    return this.change.one(payout.id, async (locked) => {
      if (neverSeen) refuseIfTriedSince(locked, payout, heardAt !== (await this.drift.heardAt(payout.id)));
      await this.nameWhatMoved(locked, neverSeen);
      if (neverSeen && locked.status === 'returned') return withFacts(changeOf(locked), { neverSeen }); // it is not out again
      if (said && !(await this.wasSentByAnother(locked))) await this.drift.record(movedUnsent(locked, said));
      return givenUp(changeOf(locked), why, neverSeen);
    });
  }

  private async wasSentByAnother({ id, provider, railKey }: Payout): Promise<boolean> {
    const lastId = await this.reads.idOfRailKey(provider ?? '', railKey);
    return lastId !== null && lastId !== id && (await this.reads.find(lastId))?.submittedAt instanceof Date;
  }

  /**
   * The next comparison may look at this code no more. What was sent is asked about before its rows leave; but an admin who says `neverSeen` is to hear
   * what its list has.
   */
  async nameWhatMoved(payout: Payout, neverSeen = false): Promise<void> {
    if (neverSeen || payout.submittedAt === null) await this.listed.of(payout);
  }
}
