/**
 * The bank does not take a payout in legs, and its transfer is pulled back, days after that was listed as gone out. The answer to the call
 * that pulls it back says so at once; a comparison that read its list a moment before shows only what went out.
 */
import { systemClock } from '#libs/domain';
import { type Drift, DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, thenDo } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';

describe('a payout in legs that is refused after its transfer was listed, and before the list shows what came back', () => {
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

  test('is in no dispute any more once it does, and is tried again', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    world.rail.says({ first: thenDo('payout'), payout: refused() });
    const { id } = await world.pay(client, payee, 6_000);
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
