/**
 * Big bodies are parsed one after the other, and others have their turn between. Each takes up to a tenth of a second, and many
 * may be complete in the same moment: admitted by one statement, all of them would begin at once. Senders take turns, and each
 * has a fifth of the time at most: whoever sends the largest bodies as often as they may would otherwise take all of it.
 */
const BYTES_OF_MIB = 1_048_576;
/** Four times as long as the worst of that size takes. */
const REST_MS_OF_A_MIB = 400;

export class BodyTurns {
  private isTaken = false;
  /** By sender, in the order in which they are next. */
  private readonly waiting = new Map<string, (() => void)[]>();
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
    const line = this.waiting.get(sender);
    if (line) line.push(begin);
    else this.waiting.set(sender, [begin]);
    if (!this.isTaken) this.next();
  }

  /** The sender that was served goes to the end. */
  private next(): void {
    clearTimeout(this.timer);
    if (this.isTaken) return;
    for (const [sender, until] of this.resting) if (until <= this.now()) this.resting.delete(sender);
    const [first] = [...this.waiting].filter(([sender]) => !this.isResting(sender));
    if (!first) return this.nextLater();
    const [sender, line] = first;
    const begin = line.shift();
    this.waiting.delete(sender);
    if (line.length > 0) this.waiting.set(sender, line);
    this.isTaken = true;
    begin?.();
  }

  /** All that wait are of senders that rest. */
  private nextLater(): void {
    const ends = [...this.waiting.keys()].map((sender) => this.resting.get(sender) ?? 0);
    if (ends.length > 0) this.timer = setTimeout(() => this.next(), Math.max(Math.min(...ends) - this.now(), 1));
  }
}
