/**
 * A payout in legs was pulled back, was tried again, and was paid long ago. Its bank sends that back, and its rail tells so a little
 * before the list shows it, or after the list was read and before it is compared with: nothing went out twice.
 */
import { systemClock } from '#libs/domain';
import { type Drift, DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { AskRail, RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled, thenDo } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';

describe('a payout in legs that was paid at its second try, and whose bank sent it back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const openAbout = async ({ railKey }: Payout): Promise<Drift[]> =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter((drift) => drift.railKey === railKey);
  const line = ({ railKey, amountCents }: Payout, direction: 'out' | 'back', providerRef: string) => ({
    ...{ rail: 'custodial_a', railKey, amountCents, currency: 'USD' },
    ...{ providerRef, direction, movedAt: systemClock.now() },
  });
  const timePasses = ({ railKey }: Payout, minutes: number): Promise<unknown> =>
    world.db.execute(
      `UPDATE rail_movements SET listed_at = listed_at - $2::float8 * interval '1 minute' WHERE rail_key = $1`,
      [railKey, minutes],
    );

  const paidAtItsSecondTry = async (): Promise<Payout> => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    world.rail.says({ first: thenDo('payout'), payout: refused() });
    const { id } = await world.pay(client, payee, 6_000);
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
