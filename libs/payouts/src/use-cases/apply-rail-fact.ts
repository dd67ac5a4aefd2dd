/** Writes what a rail reported: the steps of its payouts, and what operators have to look at. */
import { Injectable } from '@nestjs/common';
import { Batcher, FreeFirst, Turns } from '#libs/batcher';
import { DatabaseClock, DatabaseTrouble, goneMeanwhile } from '#libs/db';
import { DriftBook, type NewDrift } from '#libs/drift';
import {
  changeOf,
  handedTo,
  isPulledBack,
  isUntouched,
  type Payout,
  type PayoutChange,
  type Report,
  whatChanges,
  wordOf,
} from '#libs/payout-rules';
import { log } from '#libs/telemetry';
import { PayoutReads } from '../db/payout.reads';
import type { SaidNo } from '../db/payout.store';
import { ChangePayout } from './change-payout';
import { PayoutJobs } from './payout-jobs';

/** As long as PostgreSQL would let it wait for the payout. */
const PATIENCE = {
  withinMs: 10_000,
  late: () => new DatabaseTrouble('timeout', new Error('what was said of this payout before is not applied yet')),
};

@Injectable()
export class ApplyRailFact {
  /** Facts that arrive together are applied in one transaction; rows that follow their payout may be many. */
  private readonly batcher = new Batcher<Report, Payout | 'busy'>((reports) => this.applyFree(reports), {
    ...{ most: 64, atOnce: 2, laneOf: clientOf },
    isLong: ({ asked }) => asked.consolidates,
  });
  private readonly freeFirst: FreeFirst<Report, Payout>;
  /** Of what is said of one payout, the second must not find free what the first has to wait for. */
  private readonly turns = new Turns();

  constructor(
    private readonly change: ChangePayout,
    private readonly reads: PayoutReads,
    private readonly drift: DriftBook,
    private readonly jobs: PayoutJobs,
    private readonly clock: DatabaseClock,
  ) {
    this.freeFirst = new FreeFirst(
      { free: (reports) => this.applyFree(reports), waiting: (reports) => this.applyAll(reports) },
      { laneOf: clientOf, slots: change.waiting },
    );
  }

  async run(report: Report): Promise<Payout> {
    const sent = await this.sentUnder(report);
    if (!sent) return this.inTurn(report);
    await this.inTurn(handedTo(sent, report));
    const now = await this.reads.find(report.asked.id);
    if (!now) throw goneMeanwhile(`Payout ${report.asked.id}`);
    return now;
  }

  /** A report about the code of a payout that was never sent is about the last one that was: perhaps nobody will ask about that one again. */
  private async sentUnder({ asked: { id, provider, railKey, submittedAt }, by }: Report): Promise<Payout | null> {
    if (submittedAt !== null || by === 'submission' || provider === null) return null;
    const lastId = await this.reads.idOfRailKey(provider, railKey);
    const last = lastId === null || lastId === id ? null : await this.reads.find(lastId);
    return last?.submittedAt ? last : null;
  }

  private inTurn(report: Report): Promise<Payout> {
    return this.turns.run(report.asked.id, () => this.freeFirst.run(report, this.batcher), PATIENCE);
  }

  private async applyAll(reports: Report[]): Promise<Payout[]> {
    const payouts = await this.applied(reports, (ids, decide) => this.change.all(ids, decide));
    return payouts.map((payout, place) => {
      if (!payout) throw goneMeanwhile(`Payout ${reports[place]?.asked.id}`);
      return payout;
    });
  }

  private async applyFree(reports: Report[]): Promise<(Payout | 'busy')[]> {
    const payouts = await this.applied(reports, (ids, decide) => this.change.allFree(ids, decide));
    return payouts.map((payout) => payout ?? 'busy');
  }

  /** In order; null for those that were not locked. */
  private async applied(reports: Report[], change: ChangePayout['all']): Promise<(Payout | null)[]> {
    const ids = [...new Set(reports.map(({ asked }) => asked.id))];
    const payouts = await change(ids, async (locked) => {
      const changes: Changes = new Map(locked.map((payout) => [payout.id, changeOf(payout)]));
      for (const report of reports) await this.applyReport(report, changes);
      await this.change.clear(locked.flatMap((payout) => reports.flatMap((report) => noTo(payout, report))));
      return [...changes.values()].filter(isChange);
    });
    const byId = new Map(payouts.map((payout) => [payout.id, payout]));
    return reports.map(({ asked: { id } }) => byId.get(id) ?? null);
  }

  private async applyReport(report: Report, changes: Changes): Promise<void> {
    const known = changes.get(report.asked.id);
    if (!known) return; // nobody is told of what is gone
    const { change, drift, isStale } = whatChanges(known, report, this.clock.earliest());
    changes.set(report.asked.id, change);
    if (isStale || isPulledBack(change.after, report)) await this.jobs.look(change.after);
    for (const found of drift) {
      const holder = await this.holderOf(found, changes);
      if (holder) await this.applyReport(handedTo(holder, report), changes);
      else await this.raise(found);
    }
    const isInDoubt = await this.drift.heard(change.after, isStale ? null : wordOf(known.after, report));
    if (isInDoubt) await this.jobs.look(change.after);
  }

  /** Of a payout whose rows went on under the same code, the news are those of the one that was sent under it last. */
  private async holderOf({ rail, railKey, payoutId }: NewDrift, changes: Changes): Promise<Payout | null> {
    const id = await this.reads.idOfRailKey(rail, railKey);
    if (!id || id === payoutId) return null;
    const [locked] = changes.has(id) ? [] : await this.reads.lockAll([id]);
    if (locked) changes.set(id, changeOf(locked));
    return changes.get(id)?.after ?? null;
  }

  private async raise(found: NewDrift): Promise<void> {
    if ((await this.drift.record([found])) === 0) return;
    const { payoutId, rail } = found;
    log.error(
      { event: 'drift.found', rail, payoutId, count: 1 },
      'a rail has money under way for what ended here, or was paid',
    );
  }
}

/** What was learned so far of the payouts that are locked, by id. */
type Changes = Map<string, PayoutChange>;

const clientOf = ({ asked }: Report): string => asked.clientId;

const noTo = (payout: Payout, { asked, noAt }: Report): SaidNo[] =>
  noAt && asked.id === payout.id && isUntouched(payout, asked) ? [{ id: payout.id, at: noAt }] : [];

const isChange = ({ before, after }: PayoutChange): boolean => before !== after;
