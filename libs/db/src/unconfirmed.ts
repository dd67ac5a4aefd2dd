/**
 * Commits of this service that wait for a standby which confirms nothing; others' may ask for more. What waits at one look and at those after it
 * waits for long. What began meanwhile only waits for a standby that is far away.
 */
import { OF_OUR_PROCESSES } from './session-name';

interface Commit {
  pid: number;
  began: string;
}

/** It lasts for as long as the standby is gone, also if who asked for the commit no longer waits. */
export const WAITING_COMMITS = `
  SELECT pid, xact_start::text AS began FROM pg_stat_activity WHERE ${OF_OUR_PROCESSES} AND wait_event = 'SyncRep'
  ORDER BY xact_start LIMIT 100`;

const LONG_MS = 3_000;

export class Unconfirmed {
  /** When each was seen to wait for the first time. */
  private since: ReadonlyMap<string, number> = new Map();

  /** Whether one of them has waited for long. */
  look(waiting: Commit[], now = performance.now()): boolean {
    this.since = new Map(waiting.map(keyOf).map((key) => [key, this.since.get(key) ?? now]));
    return [...this.since.values()].some((since) => now - since >= LONG_MS);
  }
}

const keyOf = ({ pid, began }: Commit): string => `${pid} ${began}`;
