/** A clock that stands still until a test moves it. */
import type { RailClock } from '#libs/rail-kit';

const START = '2026-03-02T10:00:00.000Z';

export class FixedClock implements RailClock {
  private instant: number;

  constructor(start: string = START) {
    this.instant = Date.parse(start);
  }

  now(): Date {
    return new Date(this.instant);
  }

  /** It knows the time. */
  latest(): Date {
    return this.now();
  }

  advance(seconds: number): void {
    this.instant += seconds * 1000;
  }
}
