/**
 * The row of turns of a rail that takes so many calls a second, which is one for all processes. Sends find a place behind all other calls. Of each kind
 * a client's first call has one behind whatever further ones of anybody fill; its further ones of the same deed (a payout's job, a request) have
 * one behind less of the row, and those of its other deeds behind little. Until then they wait here. So neither a backlog nor a flood of
 * questions keeps anybody else out, and a client that asks alone has all turns.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Turns } from '#libs/batcher';
import { asker, deed } from '#libs/db';
import { MOST_AHEAD_MS, type RailLanes } from './rail-lanes';

/**
 * How many milliseconds of the row may be ahead, and how long a call waits here for a place. A send that begins late is not made, so it waits mostly in
 * the row; and somebody waits for the answer to most questions.
 */
const PLACES = {
  sends: { first: MOST_AHEAD_MS, deed: 1_000, more: 1_000, nobodys: MOST_AHEAD_MS, hereMs: 500 },
  money: { first: 2_700, deed: 2_200, more: 1_000, nobodys: MOST_AHEAD_MS, hereMs: 3_000 },
  questions: { first: 2_400, deed: 1_500, more: 500, nobodys: 1_500, hereMs: 1_000 },
};

interface Wanted {
  rail: string;
  perSecond: number;
  kind: keyof typeof PLACES;
}

/** The calls of one client that have a place: all of one deed, or of several. */
interface Places {
  deed: object | null;
  calls: number;
}

export class RowOfTurns {
  /** By rail, kind and client. */
  private readonly lines = new Turns();
  private readonly inRow = new Map<string, Places>();

  constructor(private readonly lanes: RailLanes) {}

  /** Returns whether the turn of the call came in time. */
  async waited(wanted: Wanted): Promise<boolean> {
    const { kind, rail } = wanted;
    const { nobodys, hereMs } = PLACES[kind];
    const until = performance.now() + hereMs;
    const whose = asker();
    if (whose === null) return waitedFor(await this.place(wanted, until, () => nobodys));
    const theirs = `${rail} ${kind} ${whose}`;
    const place = async (): Promise<number | null> => {
      const waitMs = await this.place(wanted, until, () => PLACES[kind][this.rankOf(theirs)]);
      if (waitMs !== null) this.entered(theirs);
      return waitMs;
    };
    const waitMs = await this.lines.run(theirs, place, { withinMs: hereMs, late: () => LATE }).catch(nullIfLate);
    if (waitMs === null) return false;
    try {
      return await waitedFor(waitMs);
    } finally {
      this.left(theirs);
    }
  }

  /** In how many milliseconds it is the turn of the call; null: it has no place by then. */
  private async place({ rail, perSecond }: Wanted, until: number, aheadMs: () => number): Promise<number | null> {
    for (;;) {
      const leftMs = until - performance.now();
      const waitMs = await this.lanes.turn(rail, perSecond, aheadMs());
      if (waitMs !== null || leftMs <= 0) return waitMs;
      await pause(Math.min(1_000 / perSecond, leftMs));
    }
  }

  private rankOf(theirs: string): 'first' | 'deed' | 'more' {
    const before = this.inRow.get(theirs);
    if (!before) return 'first';
    return before.deed === deed() ? 'deed' : 'more';
  }

  private entered(theirs: string): void {
    const before = this.inRow.get(theirs);
    const isOne = before === undefined || before.deed === deed();
    this.inRow.set(theirs, { deed: isOne ? deed() : null, calls: (before?.calls ?? 0) + 1 });
  }

  private left(theirs: string): void {
    const places = this.inRow.get(theirs);
    if (places && places.calls > 1) this.inRow.set(theirs, { ...places, calls: places.calls - 1 });
    else this.inRow.delete(theirs);
  }
}

async function waitedFor(waitMs: number | null): Promise<boolean> {
  if (waitMs) await pause(waitMs);
  return waitMs !== null;
}

const LATE = new Error('no turn came in time');

function nullIfLate(error: unknown): null {
  if (error === LATE) return null;
  throw error;
}
