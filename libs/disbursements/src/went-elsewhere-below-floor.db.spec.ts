/**
 * Rows wait below their floor under a code that went to another address (ADR 109): they cannot leave until somebody cancels them. As with what is in
 * dispute or cools down, they lift nothing else over the floor.
 */
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows below their floor whose code went to an address that their payee no longer has', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('lift no others over it', async () => {
    const scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }), 'DE', {
      email: 'old@example.com',
    });
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [{ id }] = (await scene.withdraw()) as [Payout];
    const before = await world.payout(id);
    world.rail.knows.set(before.railKey, refused() as LookupFact);
    world.rail.answers = () => accepted('another');
    await world.db.execute(`UPDATE clients SET floors = '{"claim_rail": 10000}' WHERE id = $1`, [scene.client.id]);
    const [stays] = (await scene.withdraw()) as [Payout];
    expect(stays).toMatchObject({ status: 'held', railKey: before.railKey });
    await world.get(UpsertPayee).run(scene.client, { externalId: scene.payee.externalId, email: 'new@example.com' });
    await scene.push(6_000);
    const [more] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(more.id)).toMatchObject({
      status: 'held',
      statusReason: 'below_min_payout: 6000 is under 10000',
    });
  });
});
