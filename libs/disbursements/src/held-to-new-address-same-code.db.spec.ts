/**
 * Rows were sent to an address, and refused for now; withdrawn again they are held under the same code. Their payee has another address by the time
 * that an operator releases them: they stay held, or leave under a code that the old address was never sent, as with another account (ADR 109).
 */
import { UpsertPayee } from '#libs/payees';
import { RemedyPayout } from '#libs/payouts';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that are held under a code that was sent to another address of their payee', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each(['DE', 'ES'])('are not sent to the new one under it: %s', async (country) => {
    world.rail.reset();
    const client = await world.client({ coolDownSeconds: 0 });
    const scene = await OwedScene.of(world, client, country, { email: 'old@example.com' });
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [{ id: first }] = (await scene.withdraw()) as [Payout];
    const before = await world.payout(first);
    world.rail.knows.set(before.railKey, refused() as LookupFact);

    const isBlocked = (blocked: boolean) =>
      world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [scene.payee.id, blocked]);
    await isBlocked(true);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(id)).toMatchObject({ status: 'held', submittedAt: null, railKey: before.railKey });
    await world.get(UpsertPayee).run(client, { externalId: scene.payee.externalId, email: 'new@example.com' });
    await isBlocked(false);
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('another');
    await world.get(RemedyPayout).release(await world.payout(id), 'operator');
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    const sent = world.rail.calls.map(({ order }) => [order.railKey, order.payee.email]);
    expect(sent).not.toContainEqual([before.railKey, 'new@example.com']);
  });
});
