/**
 * Lets calls that arrive while others are under way share one statement. Nobody waits for company: the first call goes at
 * once, and those that come meanwhile go together as soon as there is a place.
 */
import { DatabaseTrouble } from '#libs/db';

interface Waiting<In, Out> {
  input: In;
  resolve: (output: Out) => void;
  reject: (error: unknown) => void;
}

export interface GatherLimits {
  /** The most that go together. */
  most: number;
  /** How many gatherings may be under way. */
  atOnce: number;
}

export class Gatherer<In, Out> {
  private waiting: Waiting<In, Out>[] = [];
  private underWay = 0;

  constructor(
    private readonly together: (inputs: In[]) => Promise<Out[]>,
    private readonly limits: GatherLimits,
  ) {}

  add(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.underWay >= this.limits.atOnce || this.waiting.length === 0) return;
    const gathered = this.waiting.splice(0, this.limits.most);
    this.underWay += 1;
    void this.run(gathered).finally(() => {
      this.underWay -= 1;
      this.next();
    });
  }

  private async run(gathered: Waiting<In, Out>[]): Promise<void> {
    try {
      const outputs = await this.together(gathered.map(({ input }) => input));
      gathered.forEach(({ resolve }, index) => resolve(outputs[index] as Out));
    } catch (error) {
      if (gathered.length === 1 || isEverybodys(error)) for (const { reject } of gathered) reject(error);
      else await this.apart(gathered, error);
    }
  }

  /**
   * One bad call must not fail its company. Where the company waited too long for a lock, each waits for itself and all at
   * once: one after the other they would wait in turn.
   */
  private async apart(gathered: Waiting<In, Out>[], error: unknown): Promise<void> {
    if (error instanceof DatabaseTrouble) await Promise.all(gathered.map((waiting) => this.run([waiting])));
    else for (const waiting of gathered) await this.run([waiting]);
  }
}

/** Where the database is away, nobody's call can go well. */
function isEverybodys(error: unknown): boolean {
  return error instanceof DatabaseTrouble && error.isEverybodys;
}
