/**
 * One after the other, for each of many things: whoever waits for a turn waits here, and not in a transaction of its own,
 * where it would keep a connection from everybody else.
 */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    let isOver: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (isOver = resolve));
    this.last.set(key, mine);
    await before;
    try {
      return await work();
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
      isOver();
    }
  }
}
