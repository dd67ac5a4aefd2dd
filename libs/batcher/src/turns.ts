/**
 * One after the other, for each of many things: whoever waits for a turn waits here, and not in a transaction of its own,
 * where it would keep a connection from everybody else.
 */
export interface Patience {
  withinMs: number;
  late: () => Error;
}

export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  /** Throws what `late` makes when its turn has not come in time. */
  async run<T>(key: string, work: () => Promise<T>, patience: Patience): Promise<T> {
    const before = this.last.get(key);
    let isOver: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (isOver = resolve));
    this.last.set(key, mine);
    if (before && !(await comesWithin(before, patience.withinMs))) {
      void before.then(() => this.end(key, mine, isOver)); // its place in the line stays
      throw patience.late();
    }
    try {
      return await work();
    } finally {
      this.end(key, mine, isOver);
    }
  }

  private end(key: string, mine: Promise<void>, isOver: () => void): void {
    if (this.last.get(key) === mine) this.last.delete(key);
    isOver();
  }
}

async function comesWithin(turn: Promise<void>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), withinMs)));
  const came = await Promise.race([turn.then(() => true), late]);
  clearTimeout(timer);
  return came;
}
