/**
 * Works through many items so that one failure holds nobody else up: it is logged, and that item comes last the next time. Apparent
 * trouble of everybody may be the doing of one item, such as a connection that is lost over it: only if the next item meets it as
 * well does it end the work.
 */
import { log } from '#libs/telemetry';
import { apart } from './apart';

export class OneAfterAnother<T> {
  private readonly behind = new Set<string>();

  constructor(
    private readonly keyOf: (item: T) => string,
    /** What the log says of one that failed. */
    private readonly failed: (item: T) => { event: string } & Record<string, string>,
  ) {}

  /** Returns the sum of what came of each; once it is told to end, the rest is left for another time. */
  async run(
    items: AsyncIterable<T> | Iterable<T>,
    work: (item: T) => Promise<number>,
    signal?: AbortSignal,
  ): Promise<number> {
    const before = new Set(this.behind);
    const last: T[] = [];
    let sum = 0;
    let inARow = 0;
    const one = async (item: T): Promise<void> => {
      if (signal?.aborted) return;
      this.behind.add(this.keyOf(item));
      try {
        const done = await apart(this.failed(item), () => work(item));
        inARow = 0;
        if (done === null) return;
        this.behind.delete(this.keyOf(item));
        sum += done;
      } catch (error) {
        inARow += 1;
        if (inARow > 1) throw error;
        log.warn(this.failed(item), (error as Error).message);
      }
    };
    for await (const item of items) {
      if (before.has(this.keyOf(item))) last.push(item);
      else await one(item);
    }
    for (const item of last) await one(item);
    const met = new Set(last.map(this.keyOf));
    for (const key of before) if (!met.has(key)) this.behind.delete(key);
    return sum;
  }
}
