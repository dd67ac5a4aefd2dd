/**
 * RailStore without a database. It keeps JSON text, so that nobody shares an object with it, and it gives way to other
 * work before each change, so that a rail which reads and then writes is caught racing.
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import type { Clock, RailRecord, RailStore } from '#libs/rail-kit';

interface Kept {
  text: string;
  changedAt: Date;
}

/** Returns the same records for the same rail, as a database would after a restart. */
export function memoryRailStores(clock: Clock): (rail: string) => RailStore {
  const rails = new Map<string, Map<string, Kept>>();
  return (rail) => {
    const records = rails.get(rail) ?? new Map<string, Kept>();
    rails.set(rail, records);
    return new MemoryRailStore(records, clock);
  };
}

class MemoryRailStore implements RailStore {
  constructor(
    private readonly records: Map<string, Kept>,
    private readonly clock: Clock,
  ) {}

  async claim<T extends RailRecord>(key: string, value: T): Promise<T> {
    await otherWork();
    if (!this.records.has(key)) this.put(key, value);
    return this.get<T>(key) as T;
  }

  /** It knows of no payouts: none ever goes. */
  claimFor<T extends RailRecord>(_: string, key: string, value: T): Promise<T | null> {
    return this.claim(key, value);
  }

  async read<T extends RailRecord>(key: string): Promise<T | null> {
    await otherWork();
    return this.get<T>(key);
  }

  async update<T extends RailRecord>(key: string, change: (current: T) => T): Promise<T | null> {
    await otherWork();
    const current = this.get<T>(key);
    if (!current) return null;
    this.put(key, change(current));
    return this.get<T>(key);
  }

  async list<T extends RailRecord>(since: Date): Promise<{ key: string; value: T; changedAt: Date }[]> {
    await otherWork();
    return [...this.records]
      .filter(([, { changedAt }]) => changedAt >= since)
      .map(([key, { text, changedAt }]) => ({ key, value: JSON.parse(text) as T, changedAt }));
  }

  private get<T extends RailRecord>(key: string): T | null {
    const kept = this.records.get(key);
    return kept ? (JSON.parse(kept.text) as T) : null;
  }

  /** A Map keeps the order of insertion; taking the key out first makes that the order of the last change. */
  private put(key: string, value: RailRecord): void {
    this.records.delete(key);
    this.records.set(key, { text: JSON.stringify(value), changedAt: this.clock.now() });
  }
}
