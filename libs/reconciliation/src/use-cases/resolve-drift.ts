/**
 * An operator has looked into a difference between a rail and us, and closes it. The rows of its payout, which waited for
 * that, may then leave again.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { Db } from '#libs/db';
import { type Drift, DriftBook, type RailWord } from '#libs/drift';
import { LockPayees } from '#libs/payees';
import { type Payout, tellsNothing, wordOf } from '#libs/payout-rules';
import { AskRail, PayoutReads } from '#libs/payouts';

/** What an operator knows of a difference. */
export interface Read {
  /** What its rail had said last when they read it, or before it was asked for them. */
  said?: RailWord | null;
  /** What was open about its payout and that one's code before its rail was asked for them. */
  open?: string[];
  /** When anything was last said or listed of its payout's money, as they decide without asking its rail. */
  heardAt?: string | null;
}

export interface Resolution extends Read {
  by: string;
  note: string | null;
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
   * Comes first, with no transaction open: what its rail says now is written down. Returns what was on record before that: if there is more, or another
   * word, by the time of the deed, whoever heard it, the operator is to read that first. If owed rows of its payout are to leave again, a rail that
   * cannot be asked now may be moving their money.
   */
  async ask(id: string, rows: 'owed' | 'paid'): Promise<Read> {
    const known = await this.drift.find(id);
    const payout = known?.payoutId ? await this.reads.find(known.payoutId) : null;
    if (!known || known.resolvedAt || !payout || !isUnpaid(payout)) return {};
    const open = await this.drift.openAbout(payout);
    const fact = await this.rail.ask(payout, { patient: false });
    const isNo = this.rail.saysNo(payout, fact);
    if (wordOf(payout, { fact, asked: payout, by: 'lookup', isNo })) await this.rail.apply(payout, fact);
    // Money was heard of, so what the account that it was sent with said before was not its last word.
    if (rows === 'owed' && payout.consolidates && tellsNothing(payout, fact, false))
      throw new Refusal('illegal_transition', SILENT);
    return { said: known.said, open };
  }

  /** In its place, if an admin found out there: what is on record as they decide. */
  async read(id: string): Promise<Read> {
    const known = await this.drift.find(id);
    return known?.payoutId ? { said: known.said, heardAt: await this.drift.heardAt(known.payoutId) } : {};
  }

  /** Part of the caller's transaction, or one of its own. */
  run(id: string, { by, note, ...read }: Resolution): Promise<ResolvedDrift> {
    return this.db.inTransaction(async () => {
      const known = await this.drift.find(id);
      if (!known) throw new Refusal('drift_not_found');
      const found = known.payoutId ? await this.reads.find(known.payoutId) : null;
      if (found) await this.payees.hold(found.payeeId);
      const [payout = null] = found ? await this.reads.lockAll([found.id]) : [];
      const before = await this.drift.lock(id);
      if (!before || before.resolvedAt) throw new Refusal('illegal_transition', 'This difference is resolved already.');
      await this.refuseUnread(read, before, payout);
      const after = await this.drift.resolveOne(id, by, note);
      return { before, after: after ?? before, payout };
    });
  }

  /** Comes last: what was decided about is the payout as the decision leaves it. */
  async decidedAbout(id: string): Promise<void> {
    await this.drift.decidedAbout(id);
  }

  private async refuseUnread({ said, open, heardAt }: Read, known: Drift, payout: Payout | null): Promise<void> {
    if (said !== undefined && said !== known.said) throw saidOtherwise(known.said);
    const isHeardOf = heardAt !== undefined && payout !== null && heardAt !== (await this.drift.heardAt(payout.id));
    const lines = payout && open ? await this.drift.openAbout(payout) : [];
    if (isHeardOf || lines.some((line) => !open?.includes(line))) throw new Refusal('illegal_transition', TOLD_MORE);
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

const TOLD_MORE =
  'Its rail has told more of this money than you read: a larger amount, another reference, or that it moved. Look at all differences of this ' +
  'payout again.';

const SILENT =
  'Its rail cannot be asked now what became of this money, and its rows would leave again. Try again once the rail answers, ' +
  'or have an admin find out there and resolve it with `neverSeen: true`.';
