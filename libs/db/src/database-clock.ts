/**
 * The time by the database's clock, which all processes share: what one of them writes down, another compares with. Between
 * two looks at it the process counts on by itself, by its own two clocks: one stands still while the machine sleeps, and the
 * other may be set anew at any moment. Where they differ nobody knows which is right.
 */
import { type Clock, systemClock } from '#libs/domain';

export class DatabaseClock implements Clock {
  private aheadOfTicksMs: number | null = null;
  private aheadOfSystemMs = 0;

  /** It may be this late: for what must not be done after its time. */
  now(): Date {
    return new Date(Math.max(...this.readings()));
  }

  /** It is this late for certain: for what must not count as over before its time. */
  earliest(): Date {
    return new Date(Math.min(...this.readings()));
  }

  /** What the database's clock has just said. */
  set(now: Date): void {
    this.aheadOfTicksMs = now.getTime() - performance.now();
    this.aheadOfSystemMs = now.getTime() - systemClock.now().getTime();
  }

  private readings(): [bySystem: number, byTicks: number] {
    const bySystem = systemClock.now().getTime() + this.aheadOfSystemMs;
    return [bySystem, this.aheadOfTicksMs === null ? bySystem : performance.now() + this.aheadOfTicksMs];
  }
}
