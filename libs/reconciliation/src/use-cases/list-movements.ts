/** What a rail lists of a portion: its own movements, as far back as they have to be read. */
import { Injectable } from '@nestjs/common';
import { type Portion, PORTION_DAYS, RailLists } from '#libs/drift';
import type { RailMovement } from '#libs/rail-kit';
import { RailCaller, Rails } from '#libs/rail-registry';

export interface Turn {
  rail: string;
  portion: Portion;
  signal?: AbortSignal;
}

export interface Listed {
  askedAt: Date;
  movements: RailMovement[];
  railKeys: Set<string>;
}

const PORTION_MS = PORTION_DAYS * 24 * 3_600_000;
/** A provider's clock may be another, and many count whole seconds. */
const MARGIN_MS = 600_000;

@Injectable()
export class ListMovements {
  constructor(
    private readonly rails: Rails,
    private readonly caller: RailCaller,
    private readonly lists: RailLists,
  ) {}

  /** null: the rail cannot be asked, or the work ends. */
  async of(turn: Turn): Promise<Listed | null> {
    const askedAt = this.caller.askedAt();
    const movements = await this.movements(turn);
    return movements && { askedAt, movements, railKeys: new Set(movements.map(({ railKey }) => railKey)) };
  }

  /**
   * Payouts that were paid lately may have been submitted long ago, and what was made then may be booked now: providers list it by when it was made.
   * However long that is, no call asks for more than a portion.
   */
  private async movements({ rail, portion, signal }: Turn): Promise<RailMovement[] | null> {
    const { movedSince, until, isLast } = portion;
    const all: RailMovement[] = [];
    const end = until.getTime() + MARGIN_MS;
    for (let from = movedSince.getTime() - MARGIN_MS; from < end; from += PORTION_MS) {
      const to = Math.min(from + PORTION_MS, end);
      const some = await this.caller.movements(rail, new Date(from), isLast && to === end ? undefined : new Date(to));
      if (!some || signal?.aborted) return null;
      for (const movement of await this.ours(some)) all.push(movement);
    }
    return all;
  }

  /** Another deployment may share the account. Each has codes of its own: money under one of ours is ours, whatever its label says. */
  private async ours(movements: RailMovement[]): Promise<RailMovement[]> {
    const isLabelled = ({ deployment }: RailMovement): boolean => !deployment || deployment === this.rails.deployment;
    const others = movements.filter((movement) => !isLabelled(movement)).map(({ railKey }) => railKey);
    const known = await this.lists.known(others);
    return movements.filter((movement) => isLabelled(movement) || known.has(movement.railKey));
  }
}
