/**
 * As in new-address-same-code, but the routes have just been changed back: the payee is still written down with another rail, and the payout goes by
 * the one that the table names by now.
 */
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that were refused at an old address, of a payee whose routes went to another rail and back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('go to the new one under a code that was never sent to the old one', async () => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }), 'NO', {
      email: 'old@example.com',
    });
    const resolved = () => world.work('payees.resolve', scene.client.id);
    await world.route('NO', 'claim_rail');
    await resolved();
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [{ id }] = (await scene.withdraw()) as [Payout];
    const before = await world.payout(id);
    expect(before).toMatchObject({ status: 'failed', failureKind: 'transient', provider: 'claim_rail' });
    world.rail.knows.set(before.railKey, refused() as LookupFact);
    world.rail.answers = () => accepted('another');
    await world.route('NO', 'swap_rail');
    await resolved();
    await world.get(UpsertPayee).run(scene.client, { externalId: scene.payee.externalId, email: 'new@example.com' });
    await world.route('NO', 'claim_rail'); // nobody resolved the payees yet
    const [made] = (await scene.withdraw()) as [Payout];
    const after = await world.payout(made.id);
    expect(after).toMatchObject({ status: 'submitted', provider: 'claim_rail' });
    expect([before.destination?.email, after.destination?.email]).toEqual(['old@example.com', 'new@example.com']);
    expect(after.railKey).not.toBe(before.railKey);
  });
});
