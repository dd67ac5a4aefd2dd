/**
 * A rail is bound once more to the account that it has, as after its key was renewed. Its list was compared with until now: how far it had come when another
 * account was bound long ago says nothing any more. Otherwise months are gone through again, and owed rows of all rails wait for that if the database was restored since.
 */
import { systemClock } from '#libs/domain';
import { boundTo, type MoneyWorld } from '#libs/payouts/testing';
import { RailLanes } from '#libs/rail-registry';
import { compare, startReconciledWorld } from '../testing/src';

const RAIL = 'custodial_a';

describe('a rail that is bound once more to the account that it has', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterAll(() => world.stop());

  test('is compared with from where its list was left', async () => {
    const bind = (account: string) => boundTo(world, RAIL, account);
    await bind('right');
    await compare(world);
    await bind('wrong');
    await bind('right');
    // All of that was a hundred days ago; the database was restored ten days ago, and each rail compared with since.
    await world.db.execute(`UPDATE scans_of_accounts SET scanned_until = scanned_until - interval '100 days'`);
    await world.db.execute(`UPDATE rail_scans SET restored_at = now() - interval '10 days'`);
    await compare(world);
    expect(await world.get(RailLanes).awaited()).toEqual([]);
    await bind('right');
    const scan = await world.db.row<{ scannedUntil: Date }>('SELECT scanned_until FROM rail_scans WHERE rail = $1', [
      RAIL,
    ]);
    const days = (systemClock.now().getTime() - +(scan?.scannedUntil ?? 0)) / 86_400_000;
    expect([Math.round(days), await world.get(RailLanes).awaited()]).toEqual([0, []]);
  });
});
