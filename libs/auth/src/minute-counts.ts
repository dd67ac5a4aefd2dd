/** How often each of many did something this minute. Kept per process and bounded: it protects, it does not account. */
import { type Clock, unixSeconds } from '#libs/domain';

const MOST_NAMES = 50_000;

export class MinuteCounts {
  private minute = 0;
  private counts = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Once more; returns how often it was by now. */
  add(name: string): number {
    const count = this.of(name) + 1;
    if (this.counts.size < MOST_NAMES || this.counts.has(name)) this.counts.set(name, count);
    return count;
  }

  of(name: string): number {
    const minute = Math.floor(unixSeconds(this.clock) / 60);
    if (minute !== this.minute) {
      this.minute = minute;
      this.counts = new Map();
    }
    return this.counts.get(name) ?? 0;
  }

  /** Until the next minute. */
  secondsLeft(): number {
    return 60 - (unixSeconds(this.clock) % 60);
  }
}
