/**
 * Big bodies are parsed one after the other, and others have their turn between. Each takes up to a tenth of a second, and many
 * may be complete in the same moment: admitted by one statement, all of them would begin at once. Senders take turns.
 */
export class BodyTurns {
  private isTaken = false;
  /** By sender, in the order in which they are next. */
  private readonly waiting = new Map<string, (() => void)[]>();

  async run<T>(sender: string, parse: () => Promise<T>): Promise<T> {
    if (this.isTaken) await new Promise<void>((begin) => this.wait(sender, begin));
    this.isTaken = true;
    try {
      return await parse();
    } finally {
      setImmediate(() => this.next());
    }
  }

  private wait(sender: string, begin: () => void): void {
    const line = this.waiting.get(sender);
    if (line) line.push(begin);
    else this.waiting.set(sender, [begin]);
  }

  /** The sender that was served goes to the end. */
  private next(): void {
    const [first] = this.waiting;
    if (!first) {
      this.isTaken = false;
      return;
    }
    const [sender, line] = first;
    const begin = line.shift();
    this.waiting.delete(sender);
    if (line.length > 0) this.waiting.set(sender, line);
    begin?.();
  }
}
