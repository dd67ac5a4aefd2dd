/**
 * The bank did not take a payout in legs, its transfer was pulled back, and its caller tried it again at once. A comparison that read its
 * list a moment before shows only that the first transfer went out, days ago: nothing of that keeps the new try from its end.
 */
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare, listedScene, startReconciledWorld } from '../testing/src';

describe('a payout in legs that is tried again before its rail lists what was pulled back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const { line, openAbout, toBeRefused } = listedScene(() => world);

  test('goes on to its end once all is listed', async () => {
    const { id } = await toBeRefused();
    await world.drive(id);
    const payout = await world.payout(id);
    world.rail.moved = [line(payout, 'out', 'ref')];
    await compare(world);
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '1 day'`);
    expect(await openAbout(payout)).toEqual([]);
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    world.rail.knows.set(payout.railKey, refused());

    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    await compare(world); // its list was read a moment before; nothing of the new try was sent yet
    world.rail.moved = [line(payout, 'out', 'ref'), line(payout, 'back', 'ref')];
    await compare(world);

    world.rail.says({
      first: { kind: 'accepted', providerRef: 'tr_2', next: { leg: 'payout' } },
      payout: settled('tr_2'),
    });
    for (let turn = 0; turn < 4; turn += 1) {
      await world.drive(id);
      if ((await world.payout(id)).acceptedAttempt !== null)
        world.rail.knows.set(payout.railKey, { kind: 'accepted', providerRef: 'tr_2', next: { leg: 'payout' } });
    }
    await compare(world);
    expect(await world.payout(id)).toMatchObject({ status: 'paid', statusReason: null });
    expect(await openAbout(payout)).toEqual([]);
  });
});
