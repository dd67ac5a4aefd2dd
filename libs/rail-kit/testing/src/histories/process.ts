/**
 * One process of a rail. It stands still before whatever it does, and goes on when it is told to: before each operation of the store,
 * before a call arrives at the provider, before it hears the answer, and before the core hears the rail's.
 */
import type { RailStore } from '#libs/rail-kit';
import type { Meeting, Reads } from './plan';

interface Stop {
  what: string;
  isMoney: boolean;
  go(): void;
}

/** How the provider meets what this process asks of it from now on. */
export interface Weather {
  money: Meeting;
  reads: Reads;
}

export const CALM: Weather = { money: 'done', reads: 'fresh' };

export class Process {
  weather: Weather = CALM;
  /** The deadline of what it does now: after it, nothing may leave for the provider any more. */
  until = Infinity;
  /** Several if it asks several things at once: they go on one after the other. */
  private readonly stops: Stop[] = [];
  private busy = false;
  private failure: unknown = null;
  private arrives = (): void => undefined;

  constructor(
    readonly name: string,
    private readonly log: (line: string) => void,
  ) {}

  get isBusy(): boolean {
    return this.busy;
  }

  /** What it is about to do. */
  get next(): Pick<Stop, 'what' | 'isMoney'> {
    const [first] = this.stops;
    if (!first) throw new Error(`${this.name} stands nowhere.`);
    return first;
  }

  says(line: string): void {
    this.log(`${this.name}  ${line}`);
  }

  /** By whoever is about to do something on its behalf. */
  stands(what: string, isMoney = false): Promise<void> {
    return new Promise((go) => {
      this.stops.push({ what, isMoney, go });
      this.arrives();
    });
  }

  /** Up to the first stop. */
  begins(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    return this.upToNextStop(() => {
      work()
        .catch((error: unknown) => (this.failure = error))
        .finally(() => {
          this.busy = false;
          this.arrives();
        });
    });
  }

  /** Up to the next stop, or to its end. */
  goesOn(): Promise<void> {
    return this.upToNextStop(() => this.stops.shift()?.go());
  }

  /** The one that strikes the next call that moves money; those after it are met as usual. */
  takesMeeting(): Meeting {
    const { money } = this.weather;
    this.weather = { ...this.weather, money: 'done' };
    return money;
  }

  private async upToNextStop(move: () => void): Promise<void> {
    const arrived = new Promise<void>((resolve) => (this.arrives = resolve));
    move();
    if (this.stops.length === 0) await arrived;
    if (this.failure !== null) throw this.failure;
  }
}

/** The store that all processes share, as one of them uses it. */
export function storeOf(process: Process, store: RailStore): RailStore {
  const before = (what: string, key: string): Promise<void> => process.stands(`${what} ${key}`);
  return {
    claim: async (key, value) => (await before('claims', key), store.claim(key, value)),
    claimFor: async (id, key, value) => (await before('claims', key), store.claimFor(id, key, value)),
    read: async (key) => (await before('reads', key), store.read(key)),
    update: async (key, change) => (await before('changes', key), store.update(key, change)),
    list: async (since) => (await before('lists', 'its records'), store.list(since)),
  };
}
