/** What rails list, also of what a database that was restored knows nothing of: for specs. */
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout } from '#libs/payouts';
import type { MoneyWorld } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { OwedScene } from './owed-scene';

/** As the rail of this payout of 6,000 lists it. */
export const movementOf = ({ railKey, provider }: Payout, direction: 'out' | 'back', providerRef: string) => ({
  ...{ rail: provider ?? '', railKey, direction, amountCents: 6_000, providerRef, currency: 'USD' },
  movedAt: systemClock.now(),
});

/** This rail alone lists it, and nobody here knows of it; all rails were compared with. */
export async function isListedBy(world: MoneyWorld, rail: string, railKey: string): Promise<void> {
  const movedAt = systemClock.now();
  world.rail.moved = [{ rail, railKey, providerRef: 'before', amountCents: 6_000, currency: 'USD', movedAt }];
  await compare(world);
  world.rail.moved = [];
  const drift = await world.get(DriftReads).list({ open: true }, null, 100);
  const [line] = drift.filter((one) => one.railKey === railKey && one.kind === 'unknown_here');
  if (line?.rail !== rail) throw new Error(`Nothing is unknown at ${rail}.`);
}

/** What the code of a payout of these rows would be: one of them was made, and is forgotten again. */
export async function codeOfRows(world: MoneyWorld, scene: OwedScene, ...rows: string[]): Promise<string> {
  const isBlocked = (blocked: boolean) =>
    world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [scene.payee.id, blocked]);
  await isBlocked(true);
  const [{ id, railKey }] = (await scene.withdraw()) as [Payout];
  await world.get(GiveUpPayout).run(await world.payout(id), 'known to another database only');
  await world.db.execute(`UPDATE disbursements SET transaction_id = NULL, earlier = '{}' WHERE id = ANY($1)`, [rows]);
  await world.db.execute(`UPDATE payouts SET rail_key = 'other-' || id WHERE id = $1`, [id]);
  await isBlocked(false);
  return railKey;
}
