/**
 * How many attempts this process has under way at one host, and of one client there. Many clients may have one host in
 * common: neither may all of them together overrun it, nor may one of them keep the others out.
 */
import { Inject, Injectable } from '@nestjs/common';
import { DELIVERY_LIMITS, type DeliveryLimits } from './delivery';

/** One attempt's place at a host. */
export interface Slot {
  giveBack: () => void;
  /** It was not free at once: much may have happened since. */
  waited: boolean;
}

interface Waiting {
  clientId: string;
  settle: (giveBack: (() => void) | null) => void;
}

interface Occupancy {
  underWay: number;
  byClient: Map<string, number>;
  waiting: Set<Waiting>;
  /** By client, since the host last had nothing under way; tells how long its queue is. */
  turnedAway: Map<string, number>;
}

export type SlotLimits = Pick<DeliveryLimits, 'perHost' | 'perClient' | 'slotWaitMs'>;

const SHORTEST_WAIT_SECONDS = 2;
const LONGEST_WAIT_SECONDS = 30;

@Injectable()
export class HostSlots {
  private readonly hosts = new Map<string, Occupancy>();

  constructor(@Inject(DELIVERY_LIMITS) private readonly limits: SlotLimits) {}

  /**
   * null if there was none for a while. Whoever waits holds a place in the queue
   * of jobs meanwhile, which keeps a long queue from being asked for again and again, so only so many may wait: in a full line the last of the
   * client that has most in it makes room.
   */
  take(host: string, clientId: string): Promise<Slot | null> {
    const at = this.at(host);
    const giveBack = this.seat(host, at, clientId);
    if (giveBack) return Promise.resolve({ giveBack, waited: false });
    if (at.waiting.size >= 2 * this.limits.perHost && !makesRoom(at, clientId))
      return Promise.resolve(turnAway(at, clientId));
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiting.settle(turnAway(at, clientId)), this.limits.slotWaitMs);
      const waiting: Waiting = {
        clientId,
        settle: (giveBackLater) => {
          clearTimeout(timer);
          at.waiting.delete(waiting);
          resolve(giveBackLater && { giveBack: giveBackLater, waited: true });
        },
      };
      at.waiting.add(waiting);
    });
  }

  /** The longer its queue, and the more clients have one, the later somebody who was turned away comes back. */
  secondsToWait(host: string, clientId: string, random: () => number = Math.random): number {
    const turnedAway = this.hosts.get(host)?.turnedAway;
    const queue = ((turnedAway?.get(clientId) ?? 0) * (turnedAway?.size ?? 0)) / this.limits.perHost;
    return SHORTEST_WAIT_SECONDS + random() * Math.min(queue, LONGEST_WAIT_SECONDS - SHORTEST_WAIT_SECONDS);
  }

  private at(host: string): Occupancy {
    const known = this.hosts.get(host);
    if (known) return known;
    const made: Occupancy = { underWay: 0, byClient: new Map(), waiting: new Set(), turnedAway: new Map() };
    this.hosts.set(host, made);
    return made;
  }

  private seat(host: string, at: Occupancy, clientId: string): (() => void) | null {
    const mine = at.byClient.get(clientId) ?? 0;
    if (mine >= this.limits.perClient || at.underWay >= this.roomFor(mine)) return null;
    at.underWay += 1;
    at.byClient.set(clientId, mine + 1);
    return () => this.giveBack(host, at, clientId);
  }

  /** A client that has nothing under way gets one slot even if the others took all there are. */
  private roomFor(mine: number): number {
    return mine === 0 ? 2 * this.limits.perHost : this.limits.perHost;
  }

  private giveBack(host: string, at: Occupancy, clientId: string): void {
    at.underWay -= 1;
    const mine = (at.byClient.get(clientId) ?? 0) - 1;
    if (mine > 0) at.byClient.set(clientId, mine);
    else at.byClient.delete(clientId);
    this.seatNext(host, at);
    if (at.underWay === 0 && at.waiting.size === 0) this.hosts.delete(host);
  }

  /** The one that has the least under way, and of those the one that has waited longest. */
  private seatNext(host: string, at: Occupancy): void {
    const underWayOf = ({ clientId }: Waiting): number => at.byClient.get(clientId) ?? 0;
    const [next] = [...at.waiting].sort((a, b) => underWayOf(a) - underWayOf(b));
    const giveBack = next && this.seat(host, at, next.clientId);
    if (giveBack) next.settle(giveBack);
  }
}

function turnAway(at: Occupancy, clientId: string): null {
  at.turnedAway.set(clientId, (at.turnedAway.get(clientId) ?? 0) + 1);
  return null;
}

/** Whoever has one fewer than another would change places with it for ever. */
function makesRoom(at: Occupancy, clientId: string): boolean {
  const byClient = new Map<string, Waiting[]>();
  for (const one of at.waiting) byClient.set(one.clientId, [...(byClient.get(one.clientId) ?? []), one]);
  const [most = []] = [...byClient.values()].sort((a, b) => b.length - a.length);
  const last = most.at(-1);
  if (!last || most.length <= (byClient.get(clientId)?.length ?? 0) + 1) return false;
  last.settle(turnAway(at, last.clientId));
  return true;
}
