/**
 * Compares the movements that rails list with what we know, to the cent. Unknown money, differing money and money that should have moved
 * are written down for the operator; money that we were not told of yet is looked up.
 */
import { Injectable } from '@nestjs/common';
import { RailLists } from '#libs/drift';
import { RailCaller, Rails } from '#libs/rail-registry';
import { log, metrics } from '#libs/telemetry';
import { ComparePortion, type Scan } from './compare-portion';

const LATE_SECONDS = 600;
const BY_HAND =
  'the database was restored, and owed rows wait until somebody compared with this rail by hand: `gw rails compared`';
const OF_BEFORE =
  'the database was restored, and owed rows wait until the account that this rail was bound to before is bound again and compared with, or until ' +
  'somebody compared with it by hand: `gw rails compared`';

@Injectable()
export class ScanMovements {
  constructor(
    private readonly rails: Rails,
    private readonly caller: RailCaller,
    private readonly lists: RailLists,
    private readonly portions: ComparePortion,
  ) {}

  /** All rails side by side: one that is slow keeps no other's money from being named. What fails is thrown at the end. */
  async run(signal?: AbortSignal): Promise<Scan> {
    const scans = await Promise.allSettled(this.all().map((rail) => this.ofRail(rail, signal)));
    const sum: Scan = { compared: 0, found: 0, resolved: 0, lookedUp: 0 };
    for (const scan of scans) {
      if (scan.status === 'rejected') throw scan.reason;
      for (const key of Object.keys(sum) as (keyof Scan)[]) sum[key] += scan.value[key];
    }
    return sum;
  }

  /** Those that list what they moved. */
  all(): string[] {
    const names = this.rails.all().flatMap(({ definition, rail }) => (rail ? definition.name : []));
    return names.filter((rail) => this.caller.listsMovements(rail));
  }

  /**
   * Those that nothing speaks against comparing with at once. After a restore callers ask again for what was lost, and a rail says that it
   * paid it; had it listed that before, a person would have to look at each (ADR 106).
   */
  async atStart(): Promise<string[]> {
    const restored = await this.lists.restored();
    return this.all().filter((rail) => !restored.includes(rail));
  }

  /**
   * Since when each rail was not compared with; one that cannot be asked is told of after some minutes. After a restore somebody has to
   * compare with those that list nothing.
   */
  async watch(): Promise<void> {
    for (const { rail, seconds, isAwaited, isAccountAwaited } of await this.lists.ages()) {
      if (isAccountAwaited && this.rails.find(rail)?.rail) log.warn({ event: 'movements.unlisted', rail }, OF_BEFORE);
      if (!this.caller.listsMovements(rail)) {
        if (isAwaited && this.rails.find(rail)?.rail) log.warn({ event: 'movements.unlisted', rail }, BY_HAND);
        continue;
      }
      metrics.railScanAge.set({ rail }, seconds);
      if (seconds > LATE_SECONDS)
        log.warn({ event: 'movements.late', rail, seconds: Math.round(seconds) }, 'the rail was not compared with');
    }
  }

  /** Portion by portion, each written down, for as long as the rail can be asked and nobody else is at it. */
  async ofRail(rail: string, signal?: AbortSignal): Promise<Scan> {
    const sum: Scan = { compared: 0, found: 0, resolved: 0, lookedUp: 0 };
    const lateSeconds = this.rails.traits(rail)?.listsWithinSeconds ?? 0;
    while (!signal?.aborted) {
      const portion = await this.lists.window(rail, lateSeconds);
      const scan = await this.portions.run(rail, portion, signal);
      if (!scan) return sum;
      for (const key of Object.keys(sum) as (keyof Scan)[]) sum[key] += scan[key];
      if (portion.isLast) return sum;
    }
    return sum;
  }
}
