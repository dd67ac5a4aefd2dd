/**
 * The bank does not take a payout in legs, and its transfer is pulled back, days after that was listed as gone out. The answer to the call
 * that pulls it back says so at once; a comparison that read its list a moment before shows only what went out.
 */
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { compare, listedScene, startReconciledWorld } from '../testing/src';

describe('a payout in legs that is refused after its transfer was listed, and before the list shows what came back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const { line, openAbout, toBeRefused } = listedScene(() => world);

  test('is in no dispute any more once it does, and is tried again', async () => {
    const { id } = await toBeRefused();
    await world.drive(id);
    const underWay = await world.payout(id);
    world.rail.moved = [line(underWay, 'out', 'ref')];
    await compare(world);
    expect(await openAbout(underWay)).toEqual([]);
    await world.drive(id);
    const failed = await world.payout(id);
    expect(failed).toMatchObject({ status: 'failed', failureKind: 'transient' });
    world.rail.knows.set(failed.railKey, refused());
    await compare(world); // its list was read a moment before that
    world.rail.moved = [line(failed, 'out', 'ref'), line(failed, 'back', 'ref')];
    await compare(world);
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '1 hour'`);
    await compare(world);
    expect(await openAbout(failed)).toEqual([]);
    world.rail.answers = () => accepted('again');
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    await world.drive(id);
    expect(await world.status(id)).toBe('submitted');
  });
});
