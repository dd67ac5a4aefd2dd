/**
 * An operator has looked into a difference between a rail and us, and closes it. The rows of its payout, which waited for
 * that, may then leave again.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { Db } from '#libs/db';
import { type Drift, DriftBook, type RailWord, wordOn } from '#libs/drift';
import { LockPayees } from '#libs/payees';
import { type Payout, wordOf } from '#libs/payout-rules';
import { AskRail, PayoutReads } from '#libs/payouts';

export interface Resolution {
  by: string;
  note: string | null;
  /** What its rail had said last when they read it, or before it was asked for them. */
  said?: RailWord | null;
}

export interface ResolvedDrift {
  before: Drift;
  after: Drift;
  /** It and its payee are locked; null for money that no payout asked for. */
  payout: Payout | null;
}

@Injectable()
export class ResolveDrift {
  constructor(
    private readonly db: Db,
    private readonly drift: DriftBook,
    private readonly reads: PayoutReads,
    private readonly payees: LockPayees,
    private readonly rail: AskRail,
  ) {}

  /**
   * Comes first, with no transaction open: what its rail says now is written down, if it is another thing than the difference keeps. Returns what
   * was said before that: if it is another by the time of the deed, whoever heard it, the operator is to read that first. If owed rows of its
   * payout are to leave again, a rail that cannot be asked now may be moving their money.
   */
  async ask(id: string, rows: 'owed' | 'paid'): Promise<RailWord | null | undefined> {
    const known = await this.drift.find(id);
    const payout = known?.payoutId ? await this.reads.find(known.payoutId) : null;
    if (!known || known.resolvedAt || !payout || !isUnpaid(payout)) return undefined;
    const fact = await this.rail.ask(payout, { patient: false });
    const isNo = this.rail.saysNo(payout, fact);
    const word = wordOf(payout, { fact, asked: payout, by: 'lookup', isNo });
    if (word && word.said !== wordOn(known)) await this.rail.apply(payout, fact);
    if (fact.kind === 'unknown' && rows === 'owed' && payout.consolidates)
      throw new Refusal('illegal_transition', SILENT);
    return known.said;
  }

  /** Part of the caller's transaction, or one of its own. */
  run(id: string, { by, note, said }: Resolution): Promise<ResolvedDrift> {
    return this.db.inTransaction(async () => {
      const known = await this.drift.find(id);
      if (!known) throw new Refusal('drift_not_found');
      const found = known.payoutId ? await this.reads.find(known.payoutId) : null;
      if (found) await this.payees.hold(found.payeeId);
      const [payout = null] = found ? await this.reads.lockAll([found.id]) : [];
      const before = await this.drift.lock(id);
      if (!before || before.resolvedAt) throw new Refusal('illegal_transition', 'This difference is resolved already.');
      if (said !== undefined && said !== before.said) throw saidOtherwise(before.said);
      const after = await this.drift.resolveOne(id, by, note);
      return { before, after: after ?? before, payout };
    });
  }

  /** Comes last: what was decided about is the payout as the decision leaves it. */
  async decidedAbout(id: string): Promise<void> {
    await this.drift.decidedAbout(id);
  }
}

/** It was sent, and its money counts as not moved, or as come back: rows of it are owed, or come to be. */
const isUnpaid = ({ submittedAt, status }: Payout): boolean =>
  submittedAt !== null && status !== 'submitted' && status !== 'paid';

const IN_WORDS = { out: 'that this money is out', back: 'that this money came back', no: 'that it moved nothing' };

const saidOtherwise = (said: RailWord | null): Refusal =>
  new Refusal(
    'illegal_transition',
    `Its rail ${said ? `now says ${IN_WORDS[said]}` : 'has said nothing of this money'}, which is not what you read. Look at the difference again.`,
  );

const SILENT =
  'Its rail cannot be asked now what became of this money, and its rows would leave again. Try again once the rail answers, ' +
  'or have an admin find out there and resolve it with `neverSeen: true`.';
