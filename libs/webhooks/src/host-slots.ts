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

interface Ours {
  underWay: number;
  /** Less those that found room since: how long its queue is. */
  turnedAway: number;
  /** By its attempts of late: the longer they take, the later there is room again. null: none was over yet. */
  tookMs: number | null;
}

interface Occupancy {
  underWay: number;
  /** Of these, what quick clients have beside what all share. */
  beside: number;
  /** As long as anybody has something under way here. */
  byClient: Map<string, Ours>;
  waiting: Set<Waiting>;
}

export type SlotLimits = Pick<DeliveryLimits, 'perHost' | 'perClient' | 'slotWaitMs'>;

const SHORTEST_WAIT_SECONDS = 2;
const LONGEST_WAIT_SECONDS = 30;
/** How much the last attempt counts for how long they take. */
const OF_THE_LAST = 0.2;
/** A host has little to do with attempts that take less. */
const QUICK_MS = 1_000;
/** As long as nothing is known, they count as quick in line and for when to come back, and as slow for how much room they have. */
const PERHAPS_MS = 100;
const NOTHING: Readonly<Ours> = { underWay: 0, turnedAway: 0, tookMs: null };

@Injectable()
export class HostSlots {
  private readonly hosts = new Map<string, Occupancy>();

  constructor(@Inject(DELIVERY_LIMITS) private readonly limits: SlotLimits) {}

  /**
   * null if there was none for a while. Whoever waits holds a place in the queue
   * of jobs meanwhile, which keeps a long queue from being asked for again and again, so only so many may wait: in a full line the last of the
   * client whose line takes the longest makes room.
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

  /** About as long as its own queue takes, whatever others send there: they leave it its share. */
  secondsToWait(host: string, clientId: string, random: () => number = Math.random): number {
    const { turnedAway, tookMs } = this.hosts.get(host)?.byClient.get(clientId) ?? NOTHING;
    const queue = (turnedAway * (tookMs ?? PERHAPS_MS)) / 1_000 / this.limits.perClient;
    return SHORTEST_WAIT_SECONDS + random() * Math.min(queue, LONGEST_WAIT_SECONDS - SHORTEST_WAIT_SECONDS);
  }

  private at(host: string): Occupancy {
    const known = this.hosts.get(host);
    if (known) return known;
    const made: Occupancy = { underWay: 0, beside: 0, byClient: new Map(), waiting: new Set() };
    this.hosts.set(host, made);
    return made;
  }

  private seat(host: string, at: Occupancy, clientId: string): (() => void) | null {
    const mine = oursAt(at, clientId);
    const room = this.roomFor(at, mine);
    if (!room) return null;
    const beside = room === 'beside' ? 1 : 0;
    at.underWay += 1;
    at.beside += beside;
    mine.underWay += 1;
    mine.turnedAway = Math.max(0, mine.turnedAway - 1);
    const since = performance.now();
    return () => {
      const tookMs = performance.now() - since;
      mine.tookMs = mine.tookMs === null ? tookMs : mine.tookMs + (tookMs - mine.tookMs) * OF_THE_LAST;
      at.beside -= beside;
      this.giveBack(host, at, clientId);
    };
  }

  /**
   * Others may have taken all there are, and be slow: a client gets one slot all the same. If its attempts are quick, the host has little to do with
   * them: it gets half of its share beside what others took. What quick ones have there counts against nobody but quick ones, or many of them would keep slower
   * ones out, and slow ones would keep them out. If they are not quick, or nothing is known of them, it gets a third of its share while there is some room beyond.
   */
  private roomFor(at: Occupancy, { underWay, tookMs }: Ours): 'among all' | 'beside' | null {
    const { perHost, perClient } = this.limits;
    if (underWay >= perClient) return null;
    const isQuick = tookMs !== null && tookMs < QUICK_MS;
    const most = !isQuick && underWay < perClient / 3 ? 1.5 * perHost : perHost;
    if (at.underWay - at.beside < (underWay === 0 ? 2 * perHost : most)) return 'among all';
    return isQuick && underWay < perClient / 2 && at.beside < 0.75 * perHost ? 'beside' : null;
  }

  private giveBack(host: string, at: Occupancy, clientId: string): void {
    at.underWay -= 1;
    oursAt(at, clientId).underWay -= 1;
    this.seatNext(host, at);
    if (isIdle(at, clientId)) oursAt(at, clientId).turnedAway = 0;
    if (at.underWay === 0 && at.waiting.size === 0) this.hosts.delete(host);
  }

  /** Of those for whom there is room the one that has the least under way, and of these the one that has waited longest. */
  private seatNext(host: string, at: Occupancy): void {
    const underWayOf = ({ clientId }: Waiting): number => at.byClient.get(clientId)?.underWay ?? 0;
    for (const next of [...at.waiting].sort((a, b) => underWayOf(a) - underWayOf(b))) {
      const giveBack = this.seat(host, at, next.clientId);
      if (giveBack) return next.settle(giveBack);
    }
  }
}

function oursAt(at: Occupancy, clientId: string): Ours {
  const known = at.byClient.get(clientId);
  if (known) return known;
  const made = { ...NOTHING };
  at.byClient.set(clientId, made);
  return made;
}

const isIdle = (at: Occupancy, clientId: string): boolean =>
  at.byClient.get(clientId)?.underWay === 0 && ![...at.waiting].some((one) => one.clientId === clientId);

function turnAway(at: Occupancy, clientId: string): null {
  oursAt(at, clientId).turnedAway += 1;
  return null;
}

/** How long its line takes: many that are answered at once are seated before few that are slow. */
const secondsOf = ({ underWay, tookMs }: Ours, inLine: number): number =>
  (inLine * (tookMs ?? PERHAPS_MS)) / 1_000 / Math.max(1, underWay);

/**
 * Whose line takes the longest has nothing of having one more in it. Whoever has none there always finds a place; whoever would have as long a line as
 * that would change places with it for ever.
 */
function makesRoom(at: Occupancy, clientId: string): boolean {
  const lines = new Map<string, Waiting[]>();
  for (const one of at.waiting) lines.set(one.clientId, [...(lines.get(one.clientId) ?? []), one]);
  const mine = lines.get(clientId)?.length ?? 0;
  const [longest] = [...lines]
    .filter(([, line]) => line.length > 1)
    .map(([of, line]) => ({ last: line.at(-1), seconds: secondsOf(oursAt(at, of), line.length) }))
    .sort((a, b) => b.seconds - a.seconds);
  if (!longest?.last || (mine > 0 && longest.seconds <= secondsOf(oursAt(at, clientId), mine + 1))) return false;
  longest.last.settle(turnAway(at, longest.last.clientId));
  return true;
}
