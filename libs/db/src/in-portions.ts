/**
 * Works through groups that may be very large, each portion a transaction of its own. If a run may do only so much of each client, a group that
 * has more goes on in the next run, from where it was left: others have their turn in between.
 */
import { OneAfterAnother, type OfClient, type Room, type RunLimits } from './one-after-another';

interface Group extends OfClient {
  /** How large it was when it was found: who goes on adding to it must not keep the run of all. */
  size: number;
}

export interface Portion<Place> {
  looked: number;
  done: number;
  /** Where the next one begins. */
  place: Place;
}

interface Begun<T, Place> extends OfClient {
  group: T;
  place: Place | null;
  rest: number;
}

/** From the beginning, if the place is null. Answers null, or that it looked at none, once nothing is left; and what cannot go on now is left as it is. */
type Work<T, Place> = (group: T, place: Place | null) => Promise<Portion<Place> | 'later' | null>;

export class InPortions<T extends Group, Place> {
  private readonly begun = new Map<string, Begun<T, Place>>();
  private readonly each: OneAfterAnother<Begun<T, Place>>;

  constructor(
    private readonly keyOf: (group: T) => string,
    failed: (group: T) => { event: string } & Record<string, string>,
    /** Whether a group that was left there is gone on with although it is not found any more. */
    private readonly hasToGoOn: (place: Place) => boolean = () => false,
  ) {
    this.each = new OneAfterAnother(
      ({ group }) => keyOf(group),
      ({ group }) => failed(group),
    );
  }

  /** Returns how many were done. */
  run(found: T[], work: Work<T, Place>, limits: RunLimits = {}): Promise<number> {
    const items = limits.mostOfEach === undefined ? found.map(fresh<T, Place>) : this.withBegun(found);
    return this.each.run(items, (one, room) => this.portions(one, work, room, limits), limits);
  }

  /** Those begun come first, each as it is found by now. */
  private withBegun(found: T[]): Begun<T, Place>[] {
    const byKey = new Map(found.map((group) => [this.keyOf(group), group]));
    const begun: Begun<T, Place>[] = [];
    for (const [key, left] of this.begun) {
      const group = byKey.get(key);
      if (group) begun.push({ ...fresh(group), place: left.place });
      else if (left.place !== null && this.hasToGoOn(left.place)) begun.push(left);
      else this.begun.delete(key);
    }
    return [...begun, ...found.filter((group) => !this.begun.has(this.keyOf(group))).map(fresh<T, Place>)];
  }

  private async portions(
    { group, ...from }: Begun<T, Place>,
    work: Work<T, Place>,
    room: Room,
    { signal, mostOfEach }: RunLimits,
  ): Promise<number> {
    const key = this.keyOf(group);
    let [count, place, rest] = [0, from.place, from.rest];
    do {
      const portion = await work(group, place);
      if (portion === 'later') return count;
      const { looked, done, ...next } = portion ?? { looked: 0, done: 0, place };
      count += done;
      rest -= looked;
      room.left -= looked;
      if (looked === 0 || rest <= 0) {
        this.begun.delete(key);
        return count;
      }
      place = next.place;
      if (mostOfEach !== undefined) this.begun.set(key, { clientId: group.clientId, group, place, rest });
    } while (room.left > 0 && !signal?.aborted);
    return count;
  }
}

const fresh = <T extends Group, Place>(group: T): Begun<T, Place> => ({
  ...{ clientId: group.clientId, group },
  ...{ place: null, rest: group.size },
});
