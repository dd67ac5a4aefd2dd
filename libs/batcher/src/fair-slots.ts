/**
 * Room for work that takes long: so much of it at once, and so much for each lane. Who waits is let in lane by lane, and the last
 * place is for a lane that has none, so that the hundred withdrawals of a few clients leave room for another's first.
 */
import { Lanes } from './lanes';
import type { Patience } from './turns';

export interface SlotLimits {
  atOnce: number;
  perLane: number;
  /**
   * A lane in which more waits rests between its works, as long as the last one took and no longer than this: whoever asks
   * for one thing after the other waits for nothing.
   */
  longestRestMs?: number;
}

export class FairSlots {
  private readonly waiting = new Lanes<() => void>();
  private readonly taken = new Map<string, number>();
  private underWay = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** Throws what `late` makes when its place has not come in time; without patience it waits as long as it takes. */
  async run<T>(lane: string, work: () => Promise<T>, patience?: Patience): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((enter, leave) => {
      this.waiting.add(lane, enter);
      this.next();
      if (!patience) return;
      timer = setTimeout(() => {
        if (this.waiting.remove(lane, enter)) leave(patience.late());
      }, patience.withinMs);
    });
    clearTimeout(timer);
    const beganAt = performance.now();
    try {
      return await work();
    } finally {
      this.underWay -= 1;
      const rest = Math.min(performance.now() - beganAt, this.limits.longestRestMs ?? 0);
      if (rest > 0 && this.waiting.has(lane)) setTimeout(() => this.leave(lane), rest);
      else this.leave(lane);
      this.next(); // the place of another lane is free at once
    }
  }

  private next(): void {
    while (this.underWay < this.limits.atOnce) {
      const found = this.waiting.takeOne((lane) => this.mayEnter(lane));
      if (!found) return;
      this.underWay += 1;
      this.taken.set(found.lane, (this.taken.get(found.lane) ?? 0) + 1);
      found.item();
    }
  }

  private mayEnter(lane: string): boolean {
    const { atOnce, perLane } = this.limits;
    const taken = this.taken.get(lane) ?? 0;
    return taken < perLane && (taken === 0 || this.underWay < atOnce - 1);
  }

  private leave(lane: string): void {
    const left = (this.taken.get(lane) ?? 1) - 1;
    if (left > 0) this.taken.set(lane, left);
    else this.taken.delete(lane);
    this.next();
  }
}
