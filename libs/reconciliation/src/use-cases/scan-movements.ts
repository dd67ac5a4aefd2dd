/**
 * Compares the movements that rails list with what we know, to the cent. Unknown money, differing money and money that should have moved
 * are written down for the operator; money that we were not told of yet is looked up.
 */
import { Injectable } from '@nestjs/common';
import { DriftBook, type NewDrift, type Portion, PORTION_DAYS, portionsByCode, RailLists } from '#libs/drift';
import type { RailMovement } from '#libs/rail-kit';
import { RailCaller, Rails } from '#libs/rail-registry';
import { log, metrics } from '#libs/telemetry';
import { HearNews } from './hear-news';

export interface Scan {
  compared: number;
  found: number;
  resolved: number;
  lookedUp: number;
}

const PORTION_MS = PORTION_DAYS * 24 * 3_600_000;
/** A provider's clock may be another, and many count whole seconds. */
const MARGIN_MS = 600_000;
const LATE_SECONDS = 600;
/** Their payouts are loaded. */
const NEWS_AT_A_TIME = 1_000;
/** Who changes one of them waits for all: some milliseconds. */
const HELD_AT_A_TIME = 500;
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
    private readonly drift: DriftBook,
    private readonly news: HearNews,
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
      const scan = await this.ofPortion(rail, portion, signal);
      if (!scan) return sum;
      for (const key of Object.keys(sum) as (keyof Scan)[]) sum[key] += scan[key];
      if (portion.isLast) return sum;
    }
    return sum;
  }

  private async ofPortion(rail: string, portion: Portion, signal?: AbortSignal): Promise<Scan | null> {
    const saidOut = await this.drift.saidOut(rail);
    const askedAt = this.caller.askedAt();
    const movements = await this.movements(rail, portion, signal);
    if (!movements || signal?.aborted) return null;
    const listed = { askedAt, movements, railKeys: [...new Set(movements.map(({ railKey }) => railKey))] };
    const first = await this.compared(rail, portion, listed, signal);
    if (!first) return null;
    let { found } = first;
    // What somebody holds is waited for once all else is written down: code by code, with nothing else in hand.
    for (const railKey of first.leftOut) {
      const more = await this.waitedFor(rail, portion, listed, railKey, signal);
      if (more === null) return null;
      found += more;
    }
    const gone = await this.lists.unlessReset(rail, portion, async () => {
      const known = await this.drift.resolve(rail, listed.railKeys, saidOut);
      await this.lists.scanned(rail, portion.until);
      return known;
    });
    if (!gone) return null;
    await this.news.of(gone.inDoubt, signal);
    return { ...first, found, resolved: gone.resolved };
  }

  /** Of one code. Whoever changes it again and again keeps it from being kept and named no longer than for a moment. */
  private async waitedFor(
    rail: string,
    portion: Portion,
    { movements, railKeys, askedAt }: Listed,
    railKey: string,
    signal?: AbortSignal,
  ): Promise<number | null> {
    const isOfIt = (one: { railKey: string }): boolean => one.railKey === railKey;
    const kept = await this.lists.unlessReset(rail, portion, async () => {
      await this.lists.holdCode(rail, railKey);
      return this.kept(rail, movements.filter(isOfIt), askedAt);
    });
    if (!kept) return null;
    await this.news.of(kept.news, signal);
    if (signal?.aborted) return null;
    const found = await this.lists.unlessReset(rail, portion, async () => {
      await this.lists.holdCode(rail, railKey);
      const missing = await this.lists.missingThere(rail, portion, railKeys);
      return this.drift.record([...(await this.left(rail, [railKey])), ...missing].filter(isOfIt));
    });
    logFound(rail, kept.found + (found ?? 0));
    return found === null ? null : kept.found + found;
  }

  /** And named at once, but for what is asked about first: whoever decides about it decides before both, or after both. */
  private async kept(rail: string, free: RailMovement[], askedAt: Date): Promise<Written & { news: string[] }> {
    await this.lists.keep(rail, free, askedAt);
    const codes = new Set(free.map(({ railKey }) => railKey));
    const { differences, news } = await this.lists.compare(rail, [...codes]);
    const toAsk = new Set(news);
    const own = differences.filter(({ railKey, payoutId }) => codes.has(railKey) && !toAsk.has(payoutId ?? ''));
    const ready = await this.lists.hold(rail, own, false);
    const leftOut = own.filter((one) => !ready.includes(one)).map(({ railKey }) => railKey);
    return { found: await this.drift.record(ready), leftOut, news };
  }

  private async compared(
    rail: string,
    portion: Portion,
    { movements, railKeys, askedAt }: Listed,
    signal?: AbortSignal,
  ): Promise<(Omit<Scan, 'resolved'> & Named) | null> {
    const keep = (free: RailMovement[]) => this.kept(rail, free, askedAt);
    const kept = await this.inPortions(rail, portion, movements, keep, true);
    if (!kept) return null;
    const { differences, news } = await this.lists.compare(rail, railKeys);
    // Payouts that ended for good are told of before anything is asked.
    const told = new Set(news);
    const ended = differences.filter(({ payoutId }) => payoutId === null || !told.has(payoutId));
    const missing = await this.lists.missingThere(rail, portion, railKeys);
    const first = await this.named(rail, portion, [...ended, ...missing]);
    if (!first) return null;
    for (let from = 0; from < news.length && !signal?.aborted; from += NEWS_AT_A_TIME)
      await this.news.of(news.slice(from, from + NEWS_AT_A_TIME), signal);
    // What was not asked about is asked about by the next comparison, which begins where this one did.
    if (signal?.aborted) return null;
    const left = await this.named(rail, portion, await this.left(rail, railKeys));
    if (!left) return null;
    const found = kept.found + first.found + left.found;
    const leftOut = new Set([...kept.leftOut, ...first.leftOut, ...left.leftOut]);
    return { compared: movements.length, found, lookedUp: news.length, leftOut };
  }

  /** Payouts that were paid lately may have been submitted long ago: even so, no call asks for more than a portion. */
  private async movements(
    rail: string,
    { movedSince, until, isLast }: Portion,
    signal?: AbortSignal,
  ): Promise<RailMovement[] | null> {
    const all: RailMovement[] = [];
    const end = until.getTime() + MARGIN_MS;
    for (let from = movedSince.getTime() - MARGIN_MS; from < end; from += PORTION_MS) {
      const to = Math.min(from + PORTION_MS, end);
      const some = await this.caller.movements(rail, new Date(from), isLast && to === end ? undefined : new Date(to));
      if (!some || signal?.aborted) return null;
      for (const movement of await this.ours(some)) all.push(movement);
    }
    return all;
  }

  /** Another deployment may share the account. Each has codes of its own: money under one of ours is ours, whatever its label says. */
  private async ours(movements: RailMovement[]): Promise<RailMovement[]> {
    const isLabelled = ({ deployment }: RailMovement): boolean => !deployment || deployment === this.rails.deployment;
    const others = movements.filter((movement) => !isLabelled(movement)).map(({ railKey }) => railKey);
    const known = await this.lists.known(others);
    return movements.filter((movement) => isLabelled(movement) || known.has(movement.railKey));
  }

  /** The differences that are left after the rail answered about them. */
  private async left(rail: string, railKeys: string[]): Promise<NewDrift[]> {
    return (await this.lists.compare(rail, railKeys)).differences;
  }

  private async named(rail: string, portion: Portion, differences: NewDrift[]): Promise<Named | null> {
    const record = async (free: NewDrift[]) => ({ found: await this.drift.record(free), leftOut: [] });
    return this.inPortions(rail, portion, differences, record, false);
  }

  /** Each in a transaction of its own: who changes one of these payouts waits no longer than that, and who holds one is left out. null: see `unlessReset`. */
  private async inPortions<T extends { railKey: string }>(
    rail: string,
    portion: Portion,
    all: T[],
    write: (free: T[]) => Promise<Written>,
    isToKeep: boolean,
  ): Promise<Named | null> {
    const named: Named = { found: 0, leftOut: new Set() };
    for (const some of portionsByCode(all, HELD_AT_A_TIME)) {
      const written = await this.lists.unlessReset(rail, portion, async () => {
        const free = new Set(await this.lists.hold(rail, some, isToKeep));
        for (const one of some) if (!free.has(one)) named.leftOut.add(one.railKey);
        return write([...free]);
      });
      if (!written) return null;
      named.found += written.found;
      for (const railKey of written.leftOut) named.leftOut.add(railKey);
    }
    logFound(rail, named.found);
    return named;
  }
}

function logFound(rail: string, count: number): void {
  if (count > 0) log.error({ event: 'drift.found', rail, count }, 'the rail and we disagree about money');
}

interface Listed {
  askedAt: Date;
  movements: RailMovement[];
  railKeys: string[];
}

interface Written {
  found: number;
  /** Codes of what somebody else holds. */
  leftOut: string[];
}

interface Named {
  found: number;
  /** Codes that were left out because somebody held a payout or a line of them. */
  leftOut: Set<string>;
}
