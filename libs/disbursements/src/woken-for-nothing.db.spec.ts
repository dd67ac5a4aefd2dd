/** Owed money that waits for a cool-down hears of a change of its client, if that is one that it may leave sooner by. */
import { KeepClients } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import type { MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what is owed to payees who cool down, whose client is told about its events elsewhere from now on', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('is looked at for none of them', async () => {
    const client = await world.client({ coolDownSeconds: 86_400 });
    for (let nth = 0; nth < 5; nth += 1) {
      const scene = await OwedScene.of(world, client, 'IT');
      await world.get(UpsertPayee).run(client, { externalId: scene.payee.externalId, email: `new${nth}@example.com` });
      await scene.push(6_000);
      await world.work('owed.release', scene.payee.id); // too early: put off to the end of the cool-down
    }
    const due = async (): Promise<number> =>
      (await world.db.rows(`SELECT FROM jobs WHERE name = 'owed.release' AND run_at <= now()`)).length;
    expect(await due()).toBe(0);
    await world.db.inTransaction(() =>
      world.get(KeepClients).change(client.id, { webhookUrl: 'https://new.example/' }),
    );
    const [job] = await world.db.rows(`SELECT FROM jobs WHERE name = 'owed.funded' AND entity_id = $1`, [client.id]);
    if (job) await world.work('owed.funded', client.id);
    expect(await due()).toBe(0);
  });
});
