/** What waits, by whose it is. It is taken from each lane in turn, and in a lane in the order in which it came. */
export class Lanes<T> {
  /** The lane whose turn it is stands first. */
  private readonly lanes = new Map<string, T[]>();

  add(lane: string, item: T): void {
    const items = this.lanes.get(lane);
    if (items) items.push(item);
    else this.lanes.set(lane, [item]);
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
    for (const [lane, items] of this.lanes) {
      if (!accepts(lane)) continue;
      const item = items.shift() as T;
      this.lanes.delete(lane);
      if (items.length > 0) this.lanes.set(lane, items);
      return { lane, item };
    }
    return null;
  }
}
