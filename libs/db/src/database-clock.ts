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
 * then is patient for a minute for nothing.
 */
const SET_FORWARD_MS = 8_000;
/** By then what began before is over by our own ticks as well: a call of a rail, and what may be said of it. */
const HELD_MS = 60_000;

export class DatabaseClock implements Clock {
  /** By how much the database was ahead of this process's clocks when it was asked, and when its answer was read. */
  private ahead: { asked: Reading; read: Reading } | null = null;
  /** The time for certain goes by how far it was ahead before it was set, until then by our ticks. */
  private held: { read: Reading; until: number } | null = null;

  /** It may be this late: for what must not be done after its time. */
  now(): Date {
    return this.later(this.ahead?.asked, Math.max);
  }

  /** It is this late for certain: for what must not count as over before its time. */
  earliest(): Date {
    return this.later(this.certain(), Math.min);
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
    const read = aheadOf(this.reading(), now);
    const before = this.certain();
    // Whatever the last answer was late by is no jump.
    if (before && this.ahead && read.byTicks - this.ahead.asked.byTicks > SET_FORWARD_MS)
      this.held = { read: before, until: performance.now() + HELD_MS };
    this.ahead = { asked: aheadOf(asked, now), read };
  }

  private certain(): Reading | undefined {
    if (this.held && performance.now() >= this.held.until) this.held = null;
    if (!this.ahead || !this.held) return this.ahead?.read;
    return lesserOf(this.ahead.read, this.held.read);
  }

  private later(ahead: Reading | undefined, choose: (...readings: number[]) => number): Date {
    const { bySystem, byTicks } = this.reading();
    return new Date(ahead ? choose(bySystem + ahead.bySystem, byTicks + ahead.byTicks) : bySystem);
  }
}

const lesserOf = (one: Reading, other: Reading): Reading => ({
  bySystem: Math.min(one.bySystem, other.bySystem),
  byTicks: Math.min(one.byTicks, other.byTicks),
});

const aheadOf = ({ bySystem, byTicks }: Reading, now: Date): Reading => ({
  bySystem: now.getTime() - bySystem,
  byTicks: now.getTime() - byTicks,
});
