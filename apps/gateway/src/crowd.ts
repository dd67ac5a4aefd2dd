/**
 * The connections of one door. Those over which no valid key has come yet are counted by address, the others by whose key
 * it was: when there are too many, whoever has most of them makes room. Whoever has a key needs a moment to show it, and a
 * flood of those who have none pushes out its own.
 */
import type { Socket } from 'node:net';
import { neighbourhoodOf } from '#libs/http-kit';

export interface CrowdLimits {
  /** Of all addresses, those that showed a key included. */
  all: number;
  /** Of one address, those without a key. */
  perAddress: number;
}

/** Between requests, sending one, waiting for what becomes of it, for a refusal that is put off, or taking the answer. */
export type Doing = 'nothing' | 'sending' | 'waiting' | 'refused' | 'taking';

/** Of all connections: who knows a key, and not even its secret, could have them all. */
const SHARE_OF_ONE = 1 / 4;
/** A connection that waits for its answer never has to go: something may have been done for it. For what is refused nothing was. */
const MAY_GO: Doing[] = ['nothing', 'refused', 'sending', 'taking'];

export class Crowd {
  private readonly strangers = new Map<string, Set<Socket>>();
  private readonly callers = new Map<string, Set<Socket>>();
  private readonly leave = new Map<Socket, () => void>();

  constructor(
    private readonly limits: CrowdLimits,
    private readonly doingOf: (socket: Socket) => Doing,
  ) {}

  /** Returns who has to go for it: nobody, another one, or the new one itself. */
  add(socket: Socket): Socket | null {
    const neighbours = this.join(this.strangers, neighbourhoodOf(socket.remoteAddress), socket);
    socket.once('close', () => this.leave.get(socket)?.());
    if (neighbours.size > this.limits.perAddress) return this.without(first(neighbours));
    return this.leave.size > this.limits.all ? this.without(this.superfluous(socket)) : null;
  }

  /** Over a connection a caller's key came. Returns which of this caller's connections have to go for it: several, if none could before. */
  recognise(socket: Socket, caller: string): Socket[] {
    if (this.callers.get(caller)?.has(socket) || !this.leave.has(socket)) return [];
    this.leave.get(socket)?.();
    const own = this.join(this.callers, caller, socket);
    const gone: Socket[] = [];
    while (own.size > this.limits.all * SHARE_OF_ONE) {
      const one = this.without(this.dispensable(own));
      if (!one) break;
      gone.push(one);
    }
    return gone;
  }

  /** A connection that has to go is not counted from then on: the next one that comes is somebody else's turn. */
  private without(socket: Socket | null): Socket | null {
    if (socket) this.leave.get(socket)?.();
    return socket;
  }

  /** The oldest stranger of the address that has most of them; if there is none, one of the caller that has most. */
  private superfluous(newest: Socket): Socket {
    const oldest = first(mostCrowded(this.strangers));
    if (oldest && oldest !== newest) return oldest;
    for (const own of [...this.callers.values()].sort((a, b) => b.size - a.size)) {
      const found = this.dispensable(own);
      if (found) return found;
    }
    return newest;
  }

  private dispensable(own: Set<Socket>): Socket | null {
    for (const doing of MAY_GO) for (const socket of own) if (this.doingOf(socket) === doing) return socket;
    return null;
  }

  private join(groups: Map<string, Set<Socket>>, name: string, socket: Socket): Set<Socket> {
    const group = groups.get(name) ?? new Set();
    groups.set(name, group.add(socket));
    this.leave.set(socket, () => {
      this.leave.delete(socket);
      group.delete(socket);
      if (group.size === 0 && groups.get(name) === group) groups.delete(name);
    });
    return group;
  }
}

const first = (sockets: Set<Socket>): Socket | null => sockets.values().next().value ?? null;

function mostCrowded(groups: Map<string, Set<Socket>>): Set<Socket> {
  let most = new Set<Socket>();
  for (const group of groups.values()) if (group.size > most.size) most = group;
  return most;
}
