/**
 * The time by the database's clock, which all processes share: what one of them writes down, another compares with. Between
 * two looks at it the process counts on by itself, by its own two clocks: one stands still while the machine sleeps, and the
 * other may be set again at any moment. If they differ nobody knows which is right.
 */
import { type Clock, systemClock } from '#libs/domain';

export interface Reading {
  bySystem: number;
  byTicks: number;
}

/**
 * Further than that its clock goes forward against our ticks only if it was set, after a failover or as its host's was; or if this machine slept, which
 * then is patient for a while for nothing.
 */
const SET_FORWARD_MS = 8_000;
/** And back, as it does if its host stood still. What must not be late by seconds is done within seconds. */
const SET_BACK_MS = 1_000;
/** By then what began before is over by our own ticks as well: a call of a rail, and what may be said of it. */
const HELD_MS = 60_000;
/** And the ten minutes for which a rail is in doubt, with some more. */
const DOUBT_HELD_MS = 660_000;
/** How far two clocks go apart by themselves, at most. */
const DRIFT = 1 / 1_000;
/** And while those of both hosts are put right bit by bit, which chrony does by a twelfth: between two looks, for nobody set them. */
const SLEW = 1 / 5;
/** Its time is read in whole milliseconds: it may be later by as much. */
const READ_TO_MS = 1;

/** By how much the database was ahead of this process's clocks when it was asked, and when its answer was read. */
interface Look {
  asked: Reading;
  read: Reading;
}

/** What is dated later than this was dated by a clock that was set back since; by less a process may be ahead that was told the time late. */
export const STILL_TO_COME = `clock_timestamp() + interval '2 seconds'`;

export class DatabaseClock implements Clock {
  private ahead: Look | null = null;
  /** By ticks, how far it is ahead at least and at most, as all looks since it was set last say. */
  private span = { least: -Infinity, most: Infinity, at: 0 };
  /** The looks before it was set, the latest last. */
  private before: (Look & { at: number })[] = [];
  /** The last date that was given, since it was set back by much. */
  private dated = -Infinity;

  /** It may be this late: for what must not be done after its time. */
  now(): Date {
    const asked = this.looks(HELD_MS).map((look) => look.asked);
    const wasSetBack = (one: Reading): boolean => one.byTicks - (this.ahead?.asked.byTicks ?? 0) > SET_BACK_MS;
    return this.later(this.ahead && greatestOf([this.ahead.asked, ...asked.filter(wasSetBack)]), Math.max);
  }

  /** It is this late for certain: for what must not count as over before its time. */
  earliest(): Date {
    return this.certain(HELD_MS);
  }

  /** The same for what is in doubt for ten minutes. */
  earliestForDoubt(): Date {
    return this.certain(DOUBT_HELD_MS);
  }

  /**
   * The date of what is asked now: later than all that this process dated before, if it may be that late, and never earlier. After its clock was set
   * back by a little it is not that late for a while: then dates go on by themselves.
   */
  nextDate(): Date {
    const certain = this.certain(HELD_MS);
    if (!this.ahead) return certain;
    const now = this.now().getTime();
    const next = this.dated > now ? this.dated + 1 : Math.min(this.dated + 1, now);
    this.dated = Math.max(certain.getTime(), this.dated, next);
    return new Date(this.dated);
  }

  /** These clocks as they are now: when the database is about to be asked. */
  reading(): Reading {
    return { bySystem: systemClock.now().getTime(), byTicks: performance.now() };
  }

  /**
   * Sets the time that the database's clock said at some moment since it was asked, and that is read now. A process that stood still in
   * between reads an old time: the true time can only be later.
   */
  set(now: Date, asked: Reading): void {
    const at = performance.now();
    const look = { asked: aheadOf(asked, now), read: aheadOf(this.reading(), now) };
    const since = at - this.span.at;
    const drift = Math.max(since * DRIFT, Math.min(since * SLEW, SET_BACK_MS));
    const least = Math.max(look.read.byTicks, this.span.least - drift);
    const atMost = look.asked.byTicks + READ_TO_MS;
    const most = Math.min(atMost, this.span.most + drift);
    // Whatever an answer was late by is no jump: its clock was set if no time agrees with both.
    const wasSet = least > most;
    if (wasSet && this.ahead) this.before.push({ ...this.ahead, at });
    // Whoever asked before may still wait for an answer: for as long as that may take, later questions are rather dated after theirs.
    if (wasSet && this.dated - (at + look.read.byTicks) > HELD_MS) this.dated = -Infinity;
    this.before = this.looks(DOUBT_HELD_MS);
    this.span = wasSet ? { least: look.read.byTicks, most: atMost, at } : { least, most, at };
    this.ahead = look;
  }

  private certain(heldMs: number): Date {
    const read = this.looks(heldMs).map((look) => look.read);
    const wasSetForward = (one: Reading): boolean => (this.ahead?.read.byTicks ?? 0) - one.byTicks > SET_FORWARD_MS;
    return this.later(this.ahead && leastOf([this.ahead.read, ...read.filter(wasSetForward)]), Math.min);
  }

  /** Those before its clock was set within this time. */
  private looks(withinMs: number): (Look & { at: number })[] {
    if (this.before.length === 0) return this.before;
    const since = performance.now() - withinMs;
    return this.before.filter(({ at }) => at > since);
  }

  private later(ahead: Reading | null, choose: (...readings: number[]) => number): Date {
    const { bySystem, byTicks } = this.reading();
    return new Date(ahead ? choose(bySystem + ahead.bySystem, byTicks + ahead.byTicks) : bySystem);
  }
}

const leastOf = (some: Reading[]): Reading => ofEach(some, Math.min);
const greatestOf = (some: Reading[]): Reading => ofEach(some, Math.max);

function ofEach(some: Reading[], choose: (...readings: number[]) => number): Reading {
  return {
    bySystem: choose(...some.map(({ bySystem }) => bySystem)),
    byTicks: choose(...some.map(({ byTicks }) => byTicks)),
  };
}

const aheadOf = ({ bySystem, byTicks }: Reading, now: Date): Reading => ({
  bySystem: now.getTime() - bySystem,
  byTicks: now.getTime() - byTicks,
});
