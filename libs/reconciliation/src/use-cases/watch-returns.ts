/**
 * After `paid`: for as long as its money can come back a payout is looked at again, sparsely. A notice that was lost, or that
 * came before the rail's own look-ups knew, delays the news and loses none.
 */
import { Injectable } from '@nestjs/common';
import { PayoutJobs, PayoutReads } from '#libs/payouts';
import type { Returns } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { type Look, type PassedOver, WatchStore } from '../db/watch.store';
import { type Heard, HearNews } from './hear-news';

/** How long after it was paid; and once more at the end of the time in which its money can come back. */
const LOOK_AFTER_SECONDS = [600, 6 * 3_600, 86_400, 3 * 86_400, 7 * 86_400];
/** Asked at once, and left to jobs of their own if the rail cannot tell. */
const AT_ONCE = 8;
/** The most payouts of each rail that are asked about at once after an operator's word. */
const MOST_AT_ONCE = 1_000;

export interface Watched {
  watched: number;
  /** Of which the rail told something that was not known. */
  news: number;
}

@Injectable()
export class WatchReturns {
  constructor(
    private readonly rails: Rails,
    private readonly watches: WatchStore,
    private readonly reads: PayoutReads,
    private readonly news: HearNews,
    private readonly jobs: PayoutJobs,
  ) {}

  /** The rails whose money can come back. */
  all(): string[] {
    return this.rails.all().flatMap(({ definition: { name }, traits, rail }) => (rail && traits.returns ? name : []));
  }

  /** Looks at all that are due by the time each look begins, for as long as nobody else does the same. */
  async ofRail(rail: string, signal?: AbortSignal): Promise<Watched> {
    const sum: Watched = { watched: 0, news: 0 };
    for (const look of looksOf(rail, this.rails.traits(rail)?.returns ?? null)) {
      const dueBy = await this.watches.begin(look);
      await this.look(look, dueBy, sum, signal);
    }
    return sum;
  }

  /** A test client let this much time pass: what looks it passed over are made by jobs. Returns of how many payouts. */
  async passed(clientId: string, seconds: number): Promise<number> {
    const passed = new Map<string, PassedOver>();
    for (const rail of this.all())
      for (const look of looksOf(rail, this.rails.traits(rail)?.returns ?? null))
        for (const payout of await this.watches.passed(clientId, look, seconds)) passed.set(payout.id, payout);
    await this.jobs.lookAll([...passed.values()]);
    return passed.size;
  }

  /** Because an operator wants to know: what was paid last, whether it is due or not. */
  async now(signal?: AbortSignal): Promise<Watched> {
    const sum: Watched = { watched: 0, news: 0 };
    for (const rail of this.all()) {
      const withinSeconds = this.rails.traits(rail)?.returns?.withinSeconds ?? 0;
      const ids = await this.watches.latest(rail, withinSeconds, MOST_AT_ONCE);
      for (let from = 0; from < ids.length && !signal?.aborted; from += AT_ONCE)
        if (!(await this.ask(ids.slice(from, from + AT_ONCE), sum))) break;
    }
    return sum;
  }

  /**
   * What becomes due meanwhile is for the next run: where payouts were paid faster than the rail is asked, no later look would ever begin. It
   * ends if the rail cannot tell of some that are due: it may of those that were paid at another time.
   */
  private async look(look: Look, dueBy: string, sum: Watched, signal?: AbortSignal): Promise<void> {
    for (let isHeard = true; isHeard && !signal?.aborted;) {
      const due = await this.watches.due(look, dueBy, AT_ONCE);
      const last = due.at(-1);
      if (!last) return;
      isHeard = await this.ask(
        due.map(({ id }) => id),
        sum,
      );
      await this.watches.done(look, last);
    }
  }

  /** If one cannot be told or written now, a job goes on asking. */
  private async ask(ids: string[], sum: Watched): Promise<boolean> {
    const payouts = await this.reads.findAll(ids);
    const heard = await Promise.all(payouts.map((payout) => this.news.ofOne(payout)));
    const left = payouts.filter((_, place) => isLeft(heard[place]));
    await this.news.leave(left);
    sum.watched += payouts.length;
    sum.news += heard.filter((what) => what === 'told').length;
    return left.length < payouts.length || payouts.length === 0;
  }
}

const isLeft = (heard: Heard | undefined): boolean => heard === 'silent' || heard === 'held';

function looksOf(rail: string, returns: Returns | null): Look[] {
  if (!returns) return [];
  const { withinSeconds, listed } = returns;
  const after = [...LOOK_AFTER_SECONDS.filter((seconds) => seconds < withinSeconds), withinSeconds];
  return after.map((afterSeconds) => ({ rail, afterSeconds, unsettledOnly: listed }));
}
