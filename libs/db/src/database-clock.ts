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

export class DatabaseClock implements Clock {
  /** By how much the database was ahead of this process's clocks when it was asked, and when its answer was read. */
  private ahead: { asked: Reading; read: Reading } | null = null;

  /** It may be this late: for what must not be done after its time. */
  now(): Date {
    return this.later(this.ahead?.asked, Math.max);
  }

  /** It is this late for certain: for what must not count as over before its time. */
  earliest(): Date {
    return this.later(this.ahead?.read, Math.min);
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
    this.ahead = { asked: aheadOf(asked, now), read: aheadOf(this.reading(), now) };
  }

  private later(ahead: Reading | undefined, choose: (...readings: number[]) => number): Date {
    const { bySystem, byTicks } = this.reading();
    return new Date(ahead ? choose(bySystem + ahead.bySystem, byTicks + ahead.byTicks) : bySystem);
  }
}

const aheadOf = ({ bySystem, byTicks }: Reading, now: Date): Reading => ({
  bySystem: now.getTime() - bySystem,
  byTicks: now.getTime() - byTicks,
});
