/** One portion of what a rail lists, compared and written down. */
import { Injectable } from '@nestjs/common';
import { troubleOf } from '#libs/db';
import { DriftBook, type NewDrift, PaidButNotListed, type Portion, portionsByCode, RailLists } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import type { RailMovement } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { HearNews } from './hear-news';
import { type Listed, ListMovements, type Turn } from './list-movements';

export interface Scan {
  compared: number;
  found: number;
  resolved: number;
  lookedUp: number;
}

/** Their payouts are loaded. */
const NEWS_AT_A_TIME = 1_000;
/** Who changes one of them waits for all: some milliseconds. */
const HELD_AT_A_TIME = 500;

@Injectable()
export class ComparePortion {
  constructor(
    private readonly listing: ListMovements,
    private readonly lists: RailLists,
    private readonly notListed: PaidButNotListed,
    private readonly drift: DriftBook,
    private readonly news: HearNews,
  ) {}

  /** null: the rail cannot be asked, a client is being reset, or the work ends. */
  async run(rail: string, portion: Portion, signal?: AbortSignal): Promise<Scan | null> {
    const turn = { rail, portion, signal };
    const said = await this.drift.said(rail);
    const listed = await this.listing.of(turn);
    if (!listed || signal?.aborted) return null;
    const first = await this.compared(turn, listed);
    if (!first) return null;
    const more = await this.leftOut(turn, listed, first.leftOut);
    if (more === null) return null;
    if (first.failed.length > 0) throw first.failed[0];
    const gone = await this.lists.unlessReset(rail, portion, async () => {
      const known = await this.drift.resolve(rail, listed.railKeys, listed.askedAt, said);
      await this.lists.scanned(rail, portion.until);
      return known;
    });
    if (!gone) return null;
    await this.news.of(gone.inDoubt, signal);
    return { ...first, found: first.found + more, resolved: gone.resolved };
  }

  private async compared(
    turn: Turn,
    { movements, railKeys, askedAt }: Listed,
  ): Promise<(Omit<Scan, 'resolved'> & Named & Failed) | null> {
    const { rail, portion, signal } = turn;
    const kept = await this.inPortions(turn, movements, (free) => this.kept(rail, free, askedAt), true);
    if (!kept) return null;
    const { differences, news } = await this.lists.compare(rail, railKeys, signal);
    // Payouts that ended for good are told of before anything is asked.
    const told = new Set(news);
    const ended = differences.filter(({ payoutId }) => payoutId === null || !told.has(payoutId));
    const missing = await this.notListed.all(rail, portion, railKeys);
    const first = await this.named(turn, [...ended, ...missing]);
    if (!first) return null;
    const left = await this.left(turn, news);
    if (!left) return null;
    const found = kept.found + first.found + left.found;
    const leftOut = new Set([...kept.leftOut, ...first.leftOut, ...left.leftOut]);
    return { compared: movements.length, found, lookedUp: news.length, leftOut, failed: left.failed };
  }

  /** And named at once, but for what is asked about first: whoever decides about it decides before both, or after both. */
  private async kept(rail: string, free: RailMovement[], askedAt: Date): Promise<Written & { news: string[] }> {
    await this.lists.keep(rail, free, askedAt);
    const codes = new Set(free.map(({ railKey }) => railKey));
    const { differences, news } = await this.lists.compareThese(rail, [...codes]);
    const toAsk = new Set(news);
    const own = differences.filter(({ payoutId }) => !toAsk.has(payoutId ?? ''));
    const ready = await this.lists.hold(rail, own, false);
    const leftOut = own.filter((one) => !ready.includes(one)).map(({ railKey }) => railKey);
    return { found: await this.drift.record(ready), leftOut, news };
  }

  /** What still differs after the rail was asked about it: named as soon as that is known. */
  private async left(turn: Turn, news: string[]): Promise<(Named & Failed) | null> {
    const { rail, signal } = turn;
    const left: Named & Failed = { found: 0, leftOut: new Set(), failed: [] };
    let isReset = false;
    const name = async (asked: Payout[]): Promise<void> => {
      const railKeys = asked.map(({ railKey }) => railKey);
      const some = await this.named(turn, (await this.lists.compareThese(rail, railKeys)).differences);
      left.found += some?.found ?? 0;
      for (const railKey of some?.leftOut ?? []) left.leftOut.add(railKey);
      isReset ||= some === null;
    };
    // What cannot be named, or left to a job, keeps nothing else from being asked about.
    const fails = (error: unknown): void => void left.failed.push(error);
    for (let from = 0; from < news.length && !signal?.aborted; from += NEWS_AT_A_TIME)
      await this.news
        .of(news.slice(from, from + NEWS_AT_A_TIME), signal, (asked) => name(asked).catch(fails))
        .catch(fails);
    // What was not asked about is asked about by the next comparison, which begins where this one did.
    if (!isReset && !signal?.aborted) return left;
    if (left.failed.length > 0) throw left.failed[0];
    return null;
  }

  /**
   * What somebody holds is waited for once all else is written down: code by code, with nothing else in hand. One that is held for longer than anybody
   * waits keeps none of the others from being named, and this portion from being over.
   */
  private async leftOut(turn: Turn, listed: Listed, railKeys: Set<string>): Promise<number | null> {
    let found = 0;
    const held: unknown[] = [];
    for (const railKey of railKeys) {
      if (turn.signal?.aborted) return null;
      try {
        const more = await this.waitedFor(turn, listed, railKey);
        if (more === null) return null;
        found += more;
      } catch (error) {
        if (!troubleOf(error)?.isHeld) throw error;
        held.push(error);
      }
    }
    if (held.length > 0) throw held[0];
    return found;
  }

  /** Of one code. Whoever changes it again and again keeps it from being kept and named no longer than for a moment. */
  private async waitedFor(
    { rail, portion, signal }: Turn,
    { movements, railKeys, askedAt }: Listed,
    railKey: string,
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
      const { differences } = await this.lists.compareThese(rail, [railKey]);
      const missing = await this.notListed.ofCode(railKey, rail, portion, railKeys);
      return this.drift.record([...differences, ...missing]);
    });
    logFound(rail, kept.found + (found ?? 0));
    return found === null ? null : kept.found + found;
  }

  private async named(turn: Turn, differences: NewDrift[]): Promise<Named | null> {
    const record = async (free: NewDrift[]) => ({ found: await this.drift.record(free), leftOut: [] });
    return this.inPortions(turn, differences, record, false);
  }

  /**
   * Each in a transaction of its own: who changes one of these payouts waits no longer than that, and who holds one is left out. null: see
   * `unlessReset`, or the work ends.
   */
  private async inPortions<T extends { railKey: string }>(
    { rail, portion, signal }: Turn,
    all: T[],
    write: (free: T[]) => Promise<Written>,
    isToKeep: boolean,
  ): Promise<Named | null> {
    const named: Named = { found: 0, leftOut: new Set() };
    for (const some of portionsByCode(all, HELD_AT_A_TIME)) {
      if (signal?.aborted) return null;
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

interface Failed {
  /** What could not be named, or left to a job, in time: it ends the comparison once all else is written down. */
  failed: unknown[];
}
