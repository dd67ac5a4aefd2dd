/** A process that sleeps once it has taken a send on: the time at which its call had to begin passes. */
import type { Db } from '#libs/db';
import type { Payout } from '#libs/payout-rules';

const SLEPT_MS = 10_000;

export async function asleep(db: Db, { id, openAttempts }: Payout): Promise<void> {
  const last = openAttempts.at(-1);
  if (last) last.takenAt = new Date(Date.parse(last.takenAt) - SLEPT_MS).toISOString();
  await db.execute('UPDATE payouts SET open_attempts = $2 WHERE id = $1', [id, JSON.stringify(openAttempts)]);
}
