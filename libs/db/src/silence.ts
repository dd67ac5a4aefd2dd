/**
 * How long one connection has said nothing though it was asked. Statements leave together and are done one after the other, so
 * what counts is the time since the last answer: a live server would have given up any one of them by then.
 */
export class Silence {
  private unanswered = 0;
  private timer: NodeJS.Timeout | undefined;
  private since = 0;

  constructor(
    private readonly afterMs: number,
    private readonly end: () => void,
  ) {}

  /** For how long it has been silent; 0 if nothing is asked. */
  get ms(): number {
    return this.unanswered > 0 ? performance.now() - this.since : 0;
  }

  async during<T>(answer: Promise<T>): Promise<T> {
    if (this.unanswered === 0) {
      this.timer = setTimeout(this.end, this.afterMs);
      this.since = performance.now();
    }
    this.unanswered += 1;
    try {
      return await answer;
    } finally {
      this.unanswered -= 1;
      this.since = performance.now();
      if (this.unanswered === 0) clearTimeout(this.timer);
      else this.timer?.refresh();
    }
  }
}
