/** When a process has started it compares with all rails at once, but for those that a restored database was not compared with since. */
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import { type MoneyWorld } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
import { ScanMovementsJob } from './jobs/scan-movements.job';

describe('money that nobody here knows of', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
    const client = await world.client();
    const { id } = await world.pay(client, await world.payee(client, { country: 'IT' }));
    await world.drive(id);
    await world.get(ScanMovementsJob).onSchedule();
  });
  afterAll(() => world.stop());

  const moves = (railKey: string): void => {
    const movedAt = systemClock.now();
    world.rail.moved = [{ railKey, amountCents: 777, providerRef: railKey, currency: 'USD', movedAt }];
  };
  const named = async (): Promise<string[]> =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).map(({ railKey }) => railKey);

  test('is named at the start', async () => {
    moves('gw-unknown');
    await world.get(ScanMovementsJob).onStart();
    expect(await named()).toContain('gw-unknown');
  });

  test('is named by the first tick after a restore, and at each start from then on', async () => {
    await world.db.execute('UPDATE rail_scans SET restored_at = now()');
    moves('gw-lost');
    await world.get(ScanMovementsJob).onStart();
    expect(await named()).not.toContain('gw-lost');
    await world.get(ScanMovementsJob).onSchedule();
    expect(await named()).toContain('gw-lost');
    moves('gw-later');
    await world.get(ScanMovementsJob).onStart();
    expect(await named()).toContain('gw-later');
  });
});
