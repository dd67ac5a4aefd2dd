/**
 * Reads that many ask for under one name: whoever asks before it begins shares it, so nobody gets what is older than their question. Few
 * go at once, whatever is asked for and however often, so that they leave connections to everybody else.
 */
import { Batcher } from './batcher';

interface Asked {
  name: string;
  read: () => Promise<unknown>;
}

type Found = { value: unknown } | { error: unknown };

const LIMITS = { most: 4, atOnce: 2 };

export class SharedReads {
  private readonly waiting = new Map<string, Promise<Found>>();
  private readonly inTurn = new Batcher<Asked, Found>((together) => this.begin(together), LIMITS);

  /** Outside of transactions: others would read in the one of whoever asked first. */
  async of<T>(name: string, read: () => Promise<T>): Promise<T> {
    const waiting = this.waiting.get(name) ?? this.inTurn.add({ name, read });
    this.waiting.set(name, waiting);
    const found = await waiting;
    if ('error' in found) throw found.error;
    return found.value as T;
  }

  /** What fails under one name is no trouble of the others. */
  private begin(together: Asked[]): Promise<Found[]> {
    return Promise.all(
      together.map(async ({ name, read }) => {
        this.waiting.delete(name);
        try {
          return { value: await read() };
        } catch (error) {
          return { error };
        }
      }),
    );
  }
}
