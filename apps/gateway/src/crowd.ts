/**
 * The connections over which no valid key has come yet, by address. When there are too many the oldest goes: whoever has a
 * key needs a moment to show it, and a flood of those who have none pushes out its own.
 */
import type { Socket } from 'node:net';
import { isVouchedFor } from '#libs/http-kit';

export interface CrowdLimits {
  /** Of all addresses, those that showed a key included. */
  all: number;
  /** Of one address, those without a key. */
  perAddress: number;
}

export class Crowd {
  /** A connection that showed a key stays here until somebody looks. */
  private readonly strangers = new Map<string, Set<Socket>>();
  private readonly known = new Set<Socket>();
  private open = 0;

  constructor(
    private readonly limits: CrowdLimits,
    private readonly isBusy: (socket: Socket) => boolean,
  ) {}

  /** Answers who has to go for it: nobody, another one, or the new one itself. */
  add(socket: Socket): Socket | null {
    const address = neighbourhoodOf(socket.remoteAddress ?? '');
    const neighbours = this.strangers.get(address) ?? new Set();
    this.strangers.set(address, neighbours.add(socket));
    this.open += 1;
    socket.once('close', () => this.remove(address, socket));
    if (neighbours.size > this.limits.perAddress && this.sortOut(address, neighbours) > this.limits.perAddress)
      return first(neighbours);
    return this.open > this.limits.all ? this.superfluous(socket) : null;
  }

  /** The oldest stranger of the address that has most of them; where there is none, the oldest that is idle. */
  private superfluous(newest: Socket): Socket {
    for (;;) {
      const [address, crowded] = this.mostCrowded();
      if (this.sortOut(address, crowded) === 0) continue;
      const oldest = first(crowded) as Socket;
      return oldest === newest ? (this.longestIdle() ?? newest) : oldest;
    }
  }

  private mostCrowded(): [string, Set<Socket>] {
    let most: [string, Set<Socket>] = ['', new Set()];
    for (const found of this.strangers) if (found[1].size > most[1].size) most = found;
    return most;
  }

  private longestIdle(): Socket | null {
    for (const socket of this.known) if (!this.isBusy(socket)) return socket;
    return null;
  }

  private remove(address: string, socket: Socket): void {
    this.open -= 1;
    this.known.delete(socket);
    const neighbours = this.strangers.get(address);
    neighbours?.delete(socket);
    if (neighbours?.size === 0) this.strangers.delete(address);
  }

  /** Those that showed a key since they came are no strangers. Answers how many are left. */
  private sortOut(address: string, neighbours: Set<Socket>): number {
    for (const socket of neighbours) {
      if (!isVouchedFor(socket)) continue;
      neighbours.delete(socket);
      this.known.add(socket);
    }
    if (neighbours.size === 0) this.strangers.delete(address);
    return neighbours.size;
  }
}

const first = (sockets: Set<Socket>): Socket | null => sockets.values().next().value ?? null;

/** Whoever has one address of IPv6 has 2^64 of them. */
export function neighbourhoodOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [before = '', after] = plain.split('::');
  const parts = before.split(':').filter(Boolean);
  const behind = after?.split(':').filter(Boolean) ?? [];
  const all = [...parts, ...Array.from({ length: 8 - parts.length - behind.length }, () => '0'), ...behind];
  return all.slice(0, 4).join(':');
}
