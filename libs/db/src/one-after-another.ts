/**
 * Works through many items of many clients so that nobody holds the others up. One that fails is logged, and comes last the next time. Of a
 * client of which something could not be had in time, because somebody holds it, nothing more is tried in this run, and it comes last the next
 * time: each of its items might wait as long. Apparent trouble of everybody may be the doing of one item, such as a connection that is lost over
 * it: only if the next item meets it as well does it end the work.
 */
import { log } from '#libs/telemetry';
import { apart } from './apart';

export interface OfClient {
  clientId: string;
}

export interface RunLimits {
  /** Once it is told to end, the rest is left for another time. */
  signal?: AbortSignal;
  /** How much of each client, as the work counts it; the rest is left for the next run. */
  mostOfEach?: number;
}

/** What of its client may still be done in this run: the work takes away what it did. */
export interface Room {
  left: number;
}

type Work<T> = (item: T, room: Room) => Promise<number>;

export class OneAfterAnother<T extends OfClient> {
  private readonly behind = new Set<string>();
  private readonly heldUp = new Set<string>();

  constructor(
    private readonly keyOf: (item: T) => string,
    /** What the log says of one that failed. */
    private readonly failed: (item: T) => { event: string } & Record<string, string>,
  ) {}

  /** Returns the sum of what came of each. */
  async run(items: T[], work: Work<T>, { signal, mostOfEach = Infinity }: RunLimits = {}): Promise<number> {
    const heldUp = new Set<string>();
    const rooms = new Map<string, Room>();
    let sum = 0;
    let inARow = 0;
    for (const item of this.inOrder(items)) {
      const room = rooms.get(item.clientId) ?? { left: mostOfEach };
      rooms.set(item.clientId, room);
      if (signal?.aborted || room.left <= 0 || heldUp.has(item.clientId)) continue;
      try {
        sum += await this.one(item, room, work, heldUp);
        inARow = 0;
      } catch (error) {
        inARow += 1;
        if (inARow > 1) throw error;
        log.warn(this.failed(item), (error as Error).message);
      }
    }
    return sum;
  }

  /** Those of clients that were held up come behind the others, and those that failed last. Of what is no more nothing is remembered. */
  private inOrder(items: T[]): T[] {
    keepOnly(this.behind, items.map(this.keyOf));
    keepOnly(
      this.heldUp,
      items.map(({ clientId }) => clientId),
    );
    const placeOf = (item: T): number =>
      this.behind.has(this.keyOf(item)) ? 2 : Number(this.heldUp.has(item.clientId));
    return [0, 1, 2].flatMap((place) => items.filter((item) => placeOf(item) === place));
  }

  private async one(item: T, room: Room, work: Work<T>, heldUp: Set<string>): Promise<number> {
    const [key, { clientId }] = [this.keyOf(item), item];
    this.behind.add(key);
    const done = await apart(
      this.failed(item),
      () => work(item, room),
      () => heldUp.add(clientId),
    );
    if (heldUp.has(clientId)) this.heldUp.add(clientId);
    if (done === null) return 0;
    this.behind.delete(key);
    this.heldUp.delete(clientId);
    return done;
  }
}

function keepOnly(known: Set<string>, there: string[]): void {
  const met = new Set(there);
  for (const one of known) if (!met.has(one)) known.delete(one);
}
