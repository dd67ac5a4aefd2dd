/** As if a payout, the last comparisons and the last binding had been an hour ago. */
import { type MoneyWorld, timePasses } from '#libs/payouts/testing';

export async function anHourPasses(world: MoneyWorld, payoutId: string): Promise<void> {
  await timePasses(world, payoutId, 3_600);
  for (const scans of ['rail_scans', 'scans_of_accounts'])
    await world.db.execute(`UPDATE ${scans} SET scanned_until = scanned_until - interval '1 hour'`);
  await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 hour'`);
}
