/** Waiting items by owner. They are taken from each lane in turn, and within a lane in the order in which they came. */
export class Lanes<T> {
  /** The lane whose turn it is stands first. */
  private readonly lanes = new Map<string, T[]>();
  private count = 0;

  /** How many wait, in all lanes. */
  get size(): number {
    return this.count;
  }

  /** In how many lanes something waits. */
  get owners(): number {
    return this.lanes.size;
  }

  add(lane: string, item: T): void {
    this.count += 1;
    const items = this.lanes.get(lane);
    if (items) items.push(item);
    else this.lanes.set(lane, [item]);
  }

  has(lane: string): boolean {
    return this.lanes.has(lane);
  }

  /** False if it was taken by then. */
  remove(lane: string, item: T): boolean {
    const items = this.lanes.get(lane) ?? [];
    const place = items.indexOf(item);
    if (place < 0) return false;
    items.splice(place, 1);
    if (items.length === 0) this.lanes.delete(lane);
    this.count -= 1;
    return true;
  }

  /** One of each lane, then the second of each, up to so many. */
  take(most: number): T[] {
    const taken: T[] = [];
    while (taken.length < most) {
      const found = this.takeOne(() => true);
      if (!found) break;
      taken.push(found.item);
    }
    return taken;
  }

  takeOne(accepts: (lane: string) => boolean): { lane: string; item: T } | null {
    const found = this.takeLane(accepts, 1);
    return found && { lane: found.lane, item: found.items[0] as T };
  }

  /** The first of the lane whose turn it is, up to so many. */
  takeLane(accepts: (lane: string) => boolean, most: number): { lane: string; items: T[] } | null {
    for (const [lane, waiting] of this.lanes) {
      if (!accepts(lane)) continue;
      const items = waiting.splice(0, most);
      this.count -= items.length;
      this.lanes.delete(lane);
      if (waiting.length > 0) this.lanes.set(lane, waiting);
      return { lane, items };
    }
    return null;
  }
}
