/**
 * Keys that a provider signs its notices with, each known by a name that stands in the notice. Whoever makes names up does not make us
 * ask the provider without end, and does not keep its own notices out: a name that was not to be had rests by itself.
 */

/** There are a few at a time; somebody who makes names up gets no memory of ours. */
const MOST_KEPT = 20;
/** Of names that are asked for, or rest: more are not asked for, so that is the most of a minute. */
const MOST_STRANGE = 20;
const REST_MS = 60_000;

export class NamedKeys<Key> {
  private readonly kept = new Map<string, Key>();
  private readonly asking = new Map<string, Promise<Key | null>>();
  /** Until when, by this process's ticks. */
  private readonly resting = new Map<string, number>();

  /** `ask` answers null if the provider has no such key, and throws if nobody can tell. */
  constructor(
    private readonly ask: (name: string, signal?: AbortSignal) => Promise<Key | null>,
    private readonly ticks: () => number = () => performance.now(),
  ) {}

  /** null: the provider has no such key. Throws if it cannot be had now: the provider tells the notice again. */
  async find(name: string, signal?: AbortSignal): Promise<Key | null> {
    const known = this.kept.get(name);
    if (known !== undefined) return known;
    const underWay = this.asking.get(name);
    if (underWay) return underWay;
    if (!this.mayAsk(name)) throw new Error('no such key could be had a moment ago');
    const asked = this.asked(name, signal).finally(() => this.asking.delete(name));
    this.asking.set(name, asked);
    return asked;
  }

  private mayAsk(name: string): boolean {
    const now = this.ticks();
    for (const [each, until] of this.resting) if (until <= now) this.resting.delete(each);
    return !this.resting.has(name) && this.resting.size + this.asking.size < MOST_STRANGE;
  }

  private async asked(name: string, signal?: AbortSignal): Promise<Key | null> {
    let key: Key | null = null;
    try {
      key = await this.ask(name, signal);
      return key;
    } finally {
      if (key === null) this.resting.set(name, this.ticks() + REST_MS);
      else this.keep(name, key);
    }
  }

  private keep(name: string, key: Key): void {
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    this.kept.set(name, key);
  }
}
