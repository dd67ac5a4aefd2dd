/**
 * Work that goes in portions, for the sake of everybody else: one portion at a time in a process, and after each a rest as long as it
 * took, or a few times that, whoever's the next one is. Whoever's payout comes meanwhile finds at least half of PostgreSQL's time, and of
 * its disk's, free.
 */

export interface PortionLimits {
  /** Locks are held meanwhile: whoever waited so long for the turn goes on without it. */
  turnWithinMs: number;
  longestRestMs: number;
  /** How many times as long as a portion took; once if nothing is said. */
  restTimes?: number;
}

const LIMITS: PortionLimits = { turnWithinMs: 1_000, longestRestMs: 200 };

export class Portions {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly limits: PortionLimits = LIMITS) {}

  async run<T>(portion: () => Promise<T>): Promise<T> {
    const before = this.last;
    let isOver: () => void = () => undefined;
    this.last = new Promise<void>((resolve) => (isOver = resolve));
    await within(before, this.limits.turnWithinMs);
    const beganAt = performance.now();
    try {
      return await portion();
    } finally {
      const { longestRestMs, restTimes = 1 } = this.limits;
      const restMs = Math.min((performance.now() - beganAt) * restTimes, longestRestMs);
      if (restMs > 0) setTimeout(isOver, restMs);
      else isOver();
    }
  }
}

async function within(turn: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([turn, late]);
  clearTimeout(timer);
}
