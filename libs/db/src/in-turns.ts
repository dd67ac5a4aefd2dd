/**
 * What is looked at of each client, so much at a time: the next look begins where the last one ended, and at the beginning once it was
 * through. However much one client has, a look at it stays short, and it all comes round.
 */
export interface Turn {
  clientId: string;
  /** An id: what is looked at is behind it. */
  after: string;
  /** The last one. null: to the end. */
  until: string | null;
}

export class InTurns {
  /** By client. */
  private last: ReadonlyMap<string, string> = new Map();

  /** Answers what was found: one of each client, then the next one of each. */
  async look<T>(
    turnsBehind: (last: ReadonlyMap<string, string>) => Promise<Turn[]>,
    find: (turn: Turn) => Promise<T[]>,
  ): Promise<T[]> {
    const turns = await turnsBehind(this.last);
    this.last = new Map(turns.flatMap(({ clientId, until }) => (until === null ? [] : [[clientId, until] as const])));
    const found: T[][] = [];
    for (const turn of turns) found.push(await find(turn));
    const longest = found.reduce((most, { length }) => Math.max(most, length), 0);
    return Array.from({ length: longest }, (_, nth) => found.flatMap((some) => some.slice(nth, nth + 1))).flat();
  }
}
