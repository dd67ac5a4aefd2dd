/**
 * A client was made after the backup that was put back, and paid. Its operator makes it again under the id it had, and it sends all of it again under its
 * own keys and references: the codes are those of before, so all that was paid is held, and nothing moves twice.
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { isRestored, type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a client that a restored database has lost', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  /** A backup of before all of its clients. What is written for good goes as well. */
  const putBack = async (): Promise<void> => {
    await world.db.inTransaction(async () => {
      await world.db.execute('SET LOCAL session_replication_role = replica');
      await world.db.execute('TRUNCATE clients CASCADE');
    });
    await isRestored(world);
  };

  test('is made again under its id, and pays what it sends again once', async () => {
    const paid = new Map<string, number>();
    world.rail.answers = ({ railKey, amountCents }) => {
      const ref = `ref ${railKey}`;
      if (!paid.has(railKey))
        world.rail.moved.push({ railKey, providerRef: ref, amountCents, currency: 'USD', movedAt: systemClock.now() });
      paid.set(railKey, amountCents);
      world.rail.knows.set(railKey, settled(ref));
      return settled(ref);
    };
    const all = async (client: Client): Promise<string[]> => {
      const scene = await OwedScene.of(world, client, 'DE', { externalId: 'ada' });
      await scene.push(6_000, 'row-1');
      const own = await world.pay(client, scene.payee, 2_500, 'salary-november');
      const payouts = [own, ...(await scene.withdraw())];
      for (const { id } of payouts) if ((await world.status(id)) === 'authorized') await world.drive(id);
      return Promise.all(payouts.map(({ id }) => world.status(id)));
    };
    await compare(world);
    const client = await world.client();
    expect(await all(client)).toEqual(['paid', 'paid']);
    await putBack();
    await compare(world);
    expect(await all(await world.client({ id: client.id }))).toEqual(['held', 'held']);
    expect([...paid.values()].sort()).toEqual([2_500, 6_000]);
  });

  test('has an id that no other client has', async () => {
    const { id } = await world.client();
    await expect(world.client({ id })).rejects.toMatchObject({
      details: { fields: [{ path: 'id', message: 'is the id of a client that is there' }] },
    });
  });
});
