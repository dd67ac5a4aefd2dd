/**
 * The row of turns of a rail that takes so many calls a second, which is one for all processes. Money finds a place behind all questions. While
 * a client's payout (or request) has calls in the row, its next one finds a place behind less of it, and waits here until then, behind those of
 * its own. So neither a backlog nor a flood of questions keeps anybody else out, and a client that asks alone has all turns.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Turns } from '#libs/batcher';
import { asker, deed } from '#libs/db';
import { MOST_AHEAD_MS, type RailLanes } from './rail-lanes';

const MONEY = { first: MOST_AHEAD_MS, more: MOST_AHEAD_MS / 3 };
/** How many milliseconds of the row may be ahead. */
const AHEAD = { sends: MONEY, money: MONEY, questions: { first: MOST_AHEAD_MS / 2, more: MOST_AHEAD_MS / 6 } };

interface Wanted {
  rail: string;
  perSecond: number;
  kind: keyof typeof AHEAD;
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
    const withinMs = AHEAD[wanted.kind].first;
    const whose = asker();
    if (whose === null) return waitedFor(await this.lanes.turn(wanted.rail, wanted.perSecond, withinMs));
    const theirs = `${wanted.rail} ${wanted.kind} ${whose}`;
    const until = performance.now() + withinMs;
    const place = () => this.place(wanted, theirs, until);
    const waitMs = await this.lines.run(theirs, place, { withinMs, late: () => LATE }).catch(nullIfLate);
    if (waitMs === null) return false;
    try {
      return await waitedFor(waitMs);
    } finally {
      this.left(theirs);
    }
  }

  /** In how many milliseconds it is the turn of the call; null: it has no place by then. */
  private async place({ rail, perSecond, kind }: Wanted, theirs: string, until: number): Promise<number | null> {
    for (;;) {
      const leftMs = until - performance.now();
      const before = this.inRow.get(theirs);
      const aheadMs = before && before.deed !== deed() ? AHEAD[kind].more : AHEAD[kind].first;
      // A send that begins late is not made. Whoever only asks may wait here, and then as long in the row.
      const waitMs = await this.lanes.turn(rail, perSecond, kind === 'sends' ? Math.min(aheadMs, leftMs) : aheadMs);
      if (waitMs !== null) this.entered(theirs);
      if (waitMs !== null || leftMs <= 0) return waitMs;
      await pause(Math.min(1_000 / perSecond, leftMs));
    }
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
