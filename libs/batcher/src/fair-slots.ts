/**
 * Room for work that takes long: so much of it at once, and so much for each lane. Who waits is let in lane by lane, so that
 * one client's hundred withdrawals leave room for another's first.
 */
import { Lanes } from './lanes';

export interface SlotLimits {
  atOnce: number;
  perLane: number;
}

export class FairSlots {
  private readonly waiting = new Lanes<() => void>();
  private readonly taken = new Map<string, number>();
  private underWay = 0;

  constructor(private readonly limits: SlotLimits) {}

  async run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((enter) => {
      this.waiting.add(lane, enter);
      this.next();
    });
    try {
      return await work();
    } finally {
      this.leave(lane);
    }
  }

  private next(): void {
    while (this.underWay < this.limits.atOnce) {
      const found = this.waiting.takeOne((lane) => (this.taken.get(lane) ?? 0) < this.limits.perLane);
      if (!found) return;
      this.underWay += 1;
      this.taken.set(found.lane, (this.taken.get(found.lane) ?? 0) + 1);
      found.item();
    }
  }

  private leave(lane: string): void {
    this.underWay -= 1;
    const left = (this.taken.get(lane) ?? 1) - 1;
    if (left > 0) this.taken.set(lane, left);
    else this.taken.delete(lane);
    this.next();
  }
}
