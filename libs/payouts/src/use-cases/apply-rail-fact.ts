/** Writes what a rail reported: the steps of its payouts, and what operators have to look at. */
import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '#libs/db';
import { Gatherer } from '#libs/gatherer';
import { log } from '#libs/telemetry';
import { DriftStore } from '../db/drift.store';
import { PayoutReads } from '../db/payout.reads';
import type { NewDrift } from '../drift';
import { type Payout, type PayoutChange } from '../payout';
import { learn, type Report } from '../rail-news';
import { isAsItWas, saidNo } from '../rail-no';
import { ChangePayout } from './change-payout';
import { RailQueue } from './rail-queue';

@Injectable()
export class ApplyRailFact {
  /** Facts that arrive together are applied in one transaction; rows that follow their payout may be many. */
  private readonly gatherer = new Gatherer<Report, Payout>((reports) => this.applyAll(reports), {
    most: 64,
    atOnce: 2,
    laneOf: ({ asked }) => asked.clientId,
    isLong: ({ asked }) => asked.consolidates,
  });

  constructor(
    private readonly change: ChangePayout,
    private readonly reads: PayoutReads,
    private readonly drift: DriftStore,
    private readonly queue: RailQueue,
    private readonly clock: DatabaseClock,
  ) {}

  run(report: Report): Promise<Payout> {
    return this.gatherer.add(report);
  }

  private async applyAll(reports: Report[]): Promise<Payout[]> {
    const reportsOf = new Map<string, Report[]>();
    for (const report of reports) reportsOf.set(report.asked.id, [...(reportsOf.get(report.asked.id) ?? []), report]);
    const now = this.clock.now();
    const payouts = await this.change.all([...reportsOf.keys()], async (locked) => {
      const learned = locked.map((payout) => learn(payout, reportsOf.get(payout.id) ?? [], now));
      await this.change.clear(locked.filter((payout) => reports.some((report) => isNoTo(payout, report))));
      await this.raise(learned.flatMap(({ drift }) => drift));
      return learned.map(({ change }) => change).filter(isChange);
    });
    const byId = new Map(payouts.map((payout) => [payout.id, payout]));
    return reports.map(({ asked: { id } }) => {
      const payout = byId.get(id);
      if (!payout) throw new Error(`Payout ${id} is gone.`);
      return payout;
    });
  }

  /** Of a payout whose rows went on under the same code, the news are those of the one that was sent under it last. */
  private async raise(found: NewDrift[]): Promise<void> {
    for (const drift of found) {
      const holder = await this.reads.idOfRailKey(drift.rail, drift.railKey);
      if (holder && holder !== drift.payoutId) await this.queue.look({ id: holder, provider: drift.rail });
      else if ((await this.drift.record([drift])) > 0) {
        const { payoutId, rail } = drift;
        log.error(
          { event: 'drift.found', rail, payoutId, count: 1 },
          'a rail has money under way for what ended here, or was paid',
        );
      }
    }
  }
}

const isNoTo = (payout: Payout, { asked, isNo = false }: Report): boolean =>
  isNo && asked.id === payout.id && isAsItWas(payout, asked) && !saidNo(payout);

const isChange = ({ before, after }: PayoutChange): boolean => before !== after;
