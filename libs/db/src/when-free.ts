/** For a brief transaction: what somebody holds for longer than a moment is waited for outside of it, with neither a connection nor a place. */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseTrouble } from './database-trouble';

/** Between two looks; the first ones come soon, because what is held is mostly free again in a moment. */
const LOOK_AGAIN_AFTER_MS = [10, 20, 40, 80, 160];
const LOOK_AT_LAST_AFTER_MS = 250;
/** As long as PostgreSQL would let it wait for a lock. */
const WITHIN_MS = 10_000;

/** Looks again and again, and at last says what was in its way. */
export async function whenFree<T>(look: (nth: number) => Promise<T>): Promise<T> {
  let until: number | null = null; // counted from when it was held, whatever time went by before
  for (let nth = 0; ; nth += 1) {
    try {
      return await look(nth);
    } catch (error) {
      if (!(error instanceof DatabaseTrouble) || !error.isHeld) throw error;
      until ??= performance.now() + WITHIN_MS;
      if (performance.now() >= until) throw error;
      await pause(LOOK_AGAIN_AFTER_MS[nth] ?? LOOK_AT_LAST_AFTER_MS);
    }
  }
}
