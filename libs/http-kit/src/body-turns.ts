/**
 * Big bodies are parsed one after the other, and others have their turn between. Each takes up to a tenth of a second, and many
 * may be complete in the same moment: admitted by one statement, all of them would begin at once. Senders take turns, and each
 * has a fifth of the time at most: whoever sends the largest bodies as often as they may would otherwise take all of it.
 */
import { Lanes } from '#libs/batcher';

const BYTES_OF_MIB = 1_048_576;
/** Four times as long as the worst of that size takes. */
const REST_MS_OF_A_MIB = 400;

export class BodyTurns {
  private isTaken = false;
  /** By sender. */
  private readonly waiting = new Lanes<() => void>();
  /** Until when a sender has had its share. */
  private readonly resting = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  async run<T>(sender: string, bytes: number, parse: () => Promise<T>): Promise<T> {
    if (this.isTaken || this.isResting(sender)) await new Promise<void>((begin) => this.wait(sender, begin));
    this.isTaken = true;
    try {
      return await parse();
    } finally {
      this.resting.set(sender, this.now() + (bytes / BYTES_OF_MIB) * REST_MS_OF_A_MIB);
      setImmediate(() => {
        this.isTaken = false;
        this.next();
      });
    }
  }

  private isResting(sender: string): boolean {
    return (this.resting.get(sender) ?? 0) > this.now();
  }

  private wait(sender: string, begin: () => void): void {
    this.waiting.add(sender, begin);
    if (!this.isTaken) this.next();
  }

  private next(): void {
    clearTimeout(this.timer);
    if (this.isTaken) return;
    for (const [sender, until] of this.resting) if (until <= this.now()) this.resting.delete(sender);
    const found = this.waiting.takeOne((sender) => !this.resting.has(sender));
    if (!found) return this.nextLater();
    this.isTaken = true;
    found.item();
  }

  /** Those who wait belong to a sender that rests. */
  private nextLater(): void {
    const ends = [...this.resting.values()];
    if (ends.length > 0)
      this.timer = setTimeout(() => this.next(), Math.max(Math.min(...ends) - this.now(), 1)).unref();
  }
}
