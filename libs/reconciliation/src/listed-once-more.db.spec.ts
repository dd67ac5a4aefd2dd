/**
 * A payout in legs was pulled back, which its rail listed long ago, and is tried again. The answer to that call is lost, and the rail lists
 * what went out a moment ago: that is as young as the call, and its rail is about to say that it took it on.
 */
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled, thenDo } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';

describe('a payout in legs that is tried again after its money was pulled back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const openAbout = async ({ railKey }: Payout) =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter((drift) => drift.railKey === railKey);

  test('is in no dispute because of what was listed a moment ago, and goes on to its end', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    world.rail.says({ first: thenDo('payout'), payout: refused() });
    const { id } = await world.pay(client, payee, 6_000);
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    const failed = await world.payout(id);
    expect(failed).toMatchObject({ status: 'failed', failureKind: 'transient' });
    world.rail.knows.set(failed.railKey, refused());
    const moved = { rail: 'custodial_a', railKey: failed.railKey, amountCents: 6_000, currency: 'USD' };
    const before = [
      { ...moved, providerRef: 'ref', movedAt: systemClock.now(), direction: 'out' as const },
      { ...moved, providerRef: 'ref', movedAt: systemClock.now(), direction: 'back' as const },
    ];
    world.rail.moved = before;
    await compare(world);
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '1 hour'`);
    expect(await openAbout(failed)).toEqual([]);

    await world.get(RemedyPayout).retry(failed, 'client');
    world.rail.says({});
    await world.drive(id); // its answer is lost
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', acceptedAttempt: null, toSend: false });
    world.rail.moved = [...before, { ...moved, providerRef: 'tr_2', movedAt: systemClock.now(), direction: 'out' }];
    await compare(world);
    const open = await openAbout(failed);

    world.rail.knows.set(failed.railKey, { kind: 'accepted', providerRef: 'tr_2', next: { leg: 'payout' } });
    world.rail.says({ payout: settled('tr_2') });
    for (let turn = 0; turn < 3; turn += 1) if ((await world.status(id)) === 'submitted') await world.drive(id);
    await compare(world);
    expect({ open, status: await world.status(id), left: await openAbout(failed) }).toEqual({
      open: [],
      status: 'paid',
      left: [],
    });
  });

  test('is in no dispute for what came back before, once it is paid and its rail is late to list that', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    world.rail.says({ first: thenDo('payout'), payout: refused() });
    const { id } = await world.pay(client, payee, 6_000);
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    const failed = await world.payout(id);
    world.rail.knows.set(failed.railKey, refused());
    const moved = { rail: 'custodial_a', railKey: failed.railKey, amountCents: 6_000, currency: 'USD' };
    const before = [
      { ...moved, providerRef: 'ref', movedAt: systemClock.now(), direction: 'out' as const },
      { ...moved, providerRef: 'ref', movedAt: systemClock.now(), direction: 'back' as const },
    ];
    world.rail.moved = before;
    await compare(world);
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '1 hour'`);
    await world.get(RemedyPayout).retry(failed, 'client');
    world.rail.says({
      first: { kind: 'accepted', providerRef: 'tr_2', next: { leg: 'payout' } },
      payout: settled('tr_2'),
    });
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    expect(await world.status(id)).toBe('paid');
    world.rail.knows.set(failed.railKey, settled('tr_2'));
    await compare(world); // the list does not show it yet
    world.rail.moved = [...before, { ...moved, providerRef: 'tr_2', movedAt: systemClock.now(), direction: 'out' }];
    await compare(world);
    expect(await openAbout(failed)).toEqual([]);
  });
});
