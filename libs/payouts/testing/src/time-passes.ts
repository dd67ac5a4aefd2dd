/** As if that long had passed since a payout was sent, what became of it, and what its rail said of that. */
import type { MoneyWorld } from './world';

export async function timePasses(world: MoneyWorld, payoutId: string, seconds: number): Promise<void> {
  await world.age(payoutId, seconds);
  const earlier = (times: string[]): string =>
    times.map((at) => `${at} = ${at} - $2::float8 * interval '1 second'`).join(', ');
  await world.db.execute(`UPDATE payouts SET ${earlier(['updated_at', 'cleared_at'])} WHERE id = $1`, [
    payoutId,
    seconds,
  ]);
  await world.db.inTransaction(async () => {
    await world.db.execute('SET LOCAL session_replication_role = replica'); // nothing else changes the trail
    await world.db.execute(`UPDATE payout_trail SET ${earlier(['created_at'])} WHERE payout_id = $1`, [
      payoutId,
      seconds,
    ]);
  });
  await world.db.execute(`UPDATE drift SET ${earlier(['found_at', 'said_at', 'resolved_at'])} WHERE payout_id = $1`, [
    payoutId,
    seconds,
  ]);
  await world.db.execute(
    `UPDATE rail_movements AS moved SET listed_at = listed_at - $2::float8 * interval '1 second' FROM payouts
     WHERE payouts.id = $1 AND moved.rail = provider AND moved.rail_key = payouts.rail_key`,
    [payoutId, seconds],
  );
}
