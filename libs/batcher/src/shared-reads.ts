/**
 * Reads that many ask for under one name: whoever asks before it begins shares it, so nobody gets what is older than their question. Few
 * go at once, whatever is asked for and however often, so that they leave connections to everybody else; and who asks for hundreds of
 * things takes turns with who asks for one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onBehalfOfAll } from '#libs/db';
import { FairSlots } from './fair-slots';

const LIMITS = { atOnce: 8, perLane: 4 };

export class SharedReads {
  private readonly waiting = new Map<string, Promise<unknown>>();
  private readonly places = new FairSlots(LIMITS);

  /** Outside of transactions: others would read in the one of whoever asked first. */
  of<T>(lane: string, name: string, read: () => Promise<T>): Promise<T> {
    const waiting = this.waiting.get(name) ?? onBehalfOfAll(() => this.places.run(lane, () => this.begin(name, read)));
    this.waiting.set(name, waiting);
    return waiting as Promise<T>;
  }

  /** With all who ask in the same turn of the event loop. */
  private async begin<T>(name: string, read: () => Promise<T>): Promise<T> {
    await nextTurn();
    this.waiting.delete(name);
    return read();
  }
}
