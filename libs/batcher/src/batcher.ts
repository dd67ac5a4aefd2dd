/**
 * Lets calls that come together share one statement: those of one turn of the event loop, and those that come while a batch
 * is under way. A batch costs much the same for one call as for many, so it may end before the next begins, unless it takes
 * long. Calls are taken from each lane in turn, so that nobody's many calls keep another's waiting, and
 * what takes long by itself goes beside the others.
 */
import { DatabaseTrouble, onBehalfOfAll } from '#libs/db';
import { Lanes } from './lanes';

interface Waiting<In, Out> {
  input: In;
  resolve: (output: Out) => void;
  reject: (error: unknown) => void;
}

export interface BatchLimits<In> {
  /** The most that go together. */
  most: number;
  /** How many batches may be under way, should one take long. */
  atOnce: number;
  /** The lane that a call belongs to. */
  laneOf?: (input: In) => string;
  /** A call that would keep its company waiting. */
  isLong?: (input: In) => boolean;
  /** How many long calls of one lane go together; they keep only each other waiting. */
  longTogether?: number;
  /** For how many lanes long calls are under way at once. */
  longAtOnce?: number;
}

/** Long calls under way, whoever's they are; of each lane there is one. */
const LONG_AT_ONCE = 3;
/** While a batch is under way others wait, but no longer than one may take under load. */
const PATIENCE_MS = 250;

export class Batcher<In, Out> {
  private readonly waiting = new Lanes<Waiting<In, Out>>();
  private readonly long = new Lanes<Waiting<In, Out>>();
  private readonly longUnderWay = new Set<string>();
  private underWay = 0;
  /** Of those the ones that others still wait for. */
  private awaited = 0;
  private isScheduled = false;

  constructor(
    private readonly together: (inputs: In[]) => Promise<Out[]>,
    private readonly limits: BatchLimits<In>,
  ) {}

  add(input: In): Promise<Out> {
    const lane = this.limits.laneOf?.(input) ?? '';
    return new Promise((resolve, reject) => {
      const lanes = this.limits.isLong?.(input) ? this.long : this.waiting;
      lanes.add(lane, { input, resolve, reject });
      if (lanes === this.long) this.nextLong();
      else this.nextInTurn();
    });
  }

  /** Once whatever else came in this turn of the event loop is there too. */
  private nextInTurn(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.next();
    });
  }

  private next(): void {
    if (this.waiting.size > 0 && this.awaited === 0 && this.underWay < this.limits.atOnce) this.begin();
  }

  private begin(): void {
    const gathered = this.waiting.take(this.limits.most);
    this.underWay += 1;
    this.awaited += 1;
    let isAwaited = true;
    const goOn = (): void => {
      if (isAwaited) this.awaited -= 1;
      isAwaited = false;
      this.next();
    };
    const patience = setTimeout(goOn, PATIENCE_MS);
    void this.run(gathered).finally(() => {
      clearTimeout(patience);
      this.underWay -= 1;
      goOn();
    });
  }

  private nextLong(): void {
    if (this.longUnderWay.size >= (this.limits.longAtOnce ?? LONG_AT_ONCE)) return;
    const found = this.long.takeLane((lane) => !this.longUnderWay.has(lane), this.limits.longTogether ?? 1);
    if (!found) return;
    this.longUnderWay.add(found.lane);
    void this.run(found.items).finally(() => {
      this.longUnderWay.delete(found.lane);
      this.nextLong();
    });
  }

  private async run(gathered: Waiting<In, Out>[]): Promise<void> {
    try {
      const inputs = gathered.map(({ input }) => input);
      const outputs = await onBehalfOfAll(() => this.together(inputs), this.onlyLaneOf(inputs));
      gathered.forEach(({ resolve }, index) => resolve(outputs[index] as Out));
    } catch (error) {
      if (gathered.length === 1 || isEverybodys(error)) for (const { reject } of gathered) reject(error);
      else await this.apart(gathered, error);
    }
  }

  /** Whose all of them are. */
  private onlyLaneOf(inputs: In[]): string | null {
    const { laneOf } = this.limits;
    if (!laneOf) return null;
    const [lane, ...others] = new Set(inputs.map(laneOf));
    return others.length === 0 ? lane || null : null;
  }

  /**
   * One bad call must not fail its company. If the company waited too long for a lock, each waits for itself and all at
   * once: one after the other they would wait in turn.
   */
  private async apart(gathered: Waiting<In, Out>[], error: unknown): Promise<void> {
    if (error instanceof DatabaseTrouble) await Promise.all(gathered.map((waiting) => this.run([waiting])));
    else for (const waiting of gathered) await this.run([waiting]);
  }
}

/** If the database is away, nobody's call can go well. */
function isEverybodys(error: unknown): boolean {
  return error instanceof DatabaseTrouble && error.isEverybodys;
}
