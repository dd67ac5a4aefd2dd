import { Db } from '#libs/db';
import type { Payout } from '#libs/payout-rules';

/** How many payouts each statement answers from now on, of those that answer any; until mocks are restored. */
export function loadedPayouts(): number[] {
  const counts: number[] = [];
  const rows = Db.prototype.rows;
  jest.spyOn(Db.prototype, 'rows').mockImplementation(async function (this: Db, sql, values) {
    const found = await rows.call(this, sql, values);
    const payouts = (found as Partial<Payout>[]).filter(({ railKey, fingerprint }) => railKey && fingerprint);
    if (payouts.length > 0) counts.push(payouts.length);
    return found as never;
  });
  return counts;
}
