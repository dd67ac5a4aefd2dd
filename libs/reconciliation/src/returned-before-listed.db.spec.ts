/**
 * A payout in legs was pulled back, was tried again, and was paid long ago. Its bank sends that back, and its rail tells so a little
 * before the list shows it, or after the list was read and before it is compared with: nothing went out twice.
 */
import type { Payout } from '#libs/payout-rules';
import { AskRail, RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare, listedScene, startReconciledWorld } from '../testing/src';

describe('a payout in legs that was paid at its second try, and whose bank sent it back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const { line, openAbout, timePasses, toBeRefused } = listedScene(() => world);

  const paidAtItsSecondTry = async (): Promise<Payout> => {
    const { id } = await toBeRefused();
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    const failed = await world.payout(id);
    world.rail.knows.set(failed.railKey, refused());
    world.rail.moved = [line(failed, 'out', 'ref'), line(failed, 'back', 'ref')];
    await compare(world);
    await world.get(RemedyPayout).retry(failed, 'client');
    world.rail.says({
      first: { kind: 'accepted', providerRef: 'tr_2', next: { leg: 'payout' } },
      payout: settled('tr_2'),
    });
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    expect(await world.status(id)).toBe('paid');
    world.rail.knows.set(failed.railKey, settled('tr_2'));
    world.rail.moved = [...world.rail.moved, line(failed, 'out', 'tr_2')];
    await compare(world);
    expect(await openAbout(failed)).toEqual([]);
    return failed;
  };

  test.each([0, 24 * 60])(
    'is in no dispute while the list does not show that yet (paid %s minutes ago)',
    async (minutes) => {
      const payout = await paidAtItsSecondTry();
      await timePasses(payout, minutes);
      world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 0 });
      await world.get(AskRail).lookUp(await world.payout(payout.id));
      expect(await world.status(payout.id)).toBe('returned');
      await compare(world);
      expect(await openAbout(payout)).toEqual([]);
      world.rail.moved = [...world.rail.moved, line(payout, 'back', 'tr_2')];
      await compare(world);
      expect(await openAbout(payout)).toEqual([]);
    },
  );
});
