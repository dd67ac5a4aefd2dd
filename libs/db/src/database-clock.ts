/**
 * The time by the database's clock, which all processes share: what one of them writes down, another compares with. Between
 * two looks at it the process counts on by itself, by whichever of its own clocks went further while it stood still.
 */
import { type Clock, systemClock } from '#libs/domain';

export class DatabaseClock implements Clock {
  private aheadOfTicksMs: number | null = null;
  private aheadOfSystemMs = 0;

  now(): Date {
    const bySystem = systemClock.now().getTime() + this.aheadOfSystemMs;
    const byTicks = this.aheadOfTicksMs === null ? bySystem : performance.now() + this.aheadOfTicksMs;
    return new Date(Math.max(bySystem, byTicks));
  }

  /** What the database's clock has just said. */
  set(now: Date): void {
    this.aheadOfTicksMs = now.getTime() - performance.now();
    this.aheadOfSystemMs = now.getTime() - systemClock.now().getTime();
  }
}
