/**
 * Whether this process stood still a moment ago: it was stopped, or computed at one go, while what was sent to it waited. Who sent
 * that may have gone since, and asked another process for the opposite.
 */
const LOOK_MS = 200;
const LONG_MS = 1_000;
/** By then all that waited was begun. */
const RECENT_MS = 30_000;

export class Standstill {
  private lookedAt = performance.now();
  private endedAt = -Infinity;

  constructor() {
    setInterval(() => this.look(), LOOK_MS).unref();
  }

  get isRecent(): boolean {
    // What waited may come before the timer.
    this.look();
    return performance.now() - this.endedAt < RECENT_MS;
  }

  private look(): void {
    const now = performance.now();
    if (now - this.lookedAt > LONG_MS) this.endedAt = now;
    this.lookedAt = now;
  }
}
