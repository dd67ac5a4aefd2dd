/**
 * A rail's own durable memory, one namespace per rail: what it must know again after a crash, such as the vendor key of
 * each leg of a payout, written before the call it belongs to.
 */
export type RailRecord = Record<string, string | number | boolean | null>;

export interface RailStore {
  /** Keeps `value` unless the key is taken; answers what now stands there. The first writer wins, for ever. */
  claim<T extends RailRecord>(key: string, value: T): Promise<T>;
  /** The same for a record of a payout; null if that is no more. Payouts of test clients go, with what a rail for tests has of them. */
  claimFor<T extends RailRecord>(payoutId: string, key: string, value: T): Promise<T | null>;
  read<T extends RailRecord>(key: string): Promise<T | null>;
  /**
   * Changes a record that exists, one change at a time; answers what now stands there, or null. `change` is pure: it may
   * run more than once. If it throws, the record stays as it was.
   */
  update<T extends RailRecord>(key: string, change: (current: T) => T): Promise<T | null>;
  /** Records written or changed at that instant or later, in the order of their last change. */
  list<T extends RailRecord>(since: Date): Promise<{ key: string; value: T; changedAt: Date }[]>;
}
