/**
 * A rail that was configured in the time that a restored database lost, of a deployment that had paid nothing when the backup was made: rows were owed by
 * then, and the first payouts of all left by that rail hours before the restore.
 */
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import { isRestored, type MoneyWorld } from '#libs/payouts/testing';
import type { VerificationAnswer } from '#libs/rail-kit';
import { RailLanes, Rails, UnheardOfRails } from '#libs/rail-registry';
import { compare, startReconciledWorld } from '#libs/reconciliation/testing';
import { OwedScene } from '../testing/src';
import { DisbursementsModule } from './disbursements.module';

const RAIL = 'at_once_account';
const HOUR_MS = 3_600_000;

describe('the first comparison with a rail that a restored database never heard of, which had paid nothing yet', () => {
  let world: MoneyWorld;
  beforeEach(async () => {
    world = await startReconciledWorld({ also: [DisbursementsModule], does: (name) => name.startsWith('owed') });
    const works: VerificationAnswer = { kind: 'works', account: 'of the platform', mode: 'live' };
    const registered = world.get(Rails).find(RAIL);
    if (!registered) throw new Error('There is no such rail.');
    registered.rail = Object.create(registered.rail as object, {
      verify: { value: async () => works },
    }) as typeof registered.rail;
  });
  afterEach(() => world.stop());

  const awaited = async (): Promise<string[]> => (await world.get(RailLanes).awaited()).map(({ rail }) => rail);

  test('reads what it moved in the lost time', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    await world.db.execute(`UPDATE disbursements SET created_at = created_at - interval '5 hours'`);
    await isRestored(world);
    // The service starts.
    await world.get(UnheardOfRails).onModuleInit();
    expect(await awaited()).toContain(RAIL);
    const movedAt = new Date(systemClock.now().getTime() - 3 * HOUR_MS);
    const money = { providerRef: 'in the lost time', amountCents: 6_000, currency: 'USD' };
    world.rail.moved = [{ rail: RAIL, railKey: 'a'.repeat(32), movedAt, ...money }];
    await compare(world);
    expect(await awaited()).not.toContain(RAIL);
    const open = await world.get(DriftReads).list({ open: true }, null, 100);
    expect(open.map(({ kind, rail }) => `${kind} ${rail}`)).toEqual([`unknown_here ${RAIL}`]);
  });
});
