/** What is owed leaves by itself once the cool-down of its payee is over: by what the client wants now, also if it wanted a longer one before. */
import { ClientRegistry, KeepClients } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { RecoverOwed } from './jobs/recover-owed';

describe('what is owed to a payee whose client shortens the cool-down meanwhile', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('leaves by itself once the shorter one is over', async () => {
    world.rail.answers = () => accepted();
    const client = await world.client({ coolDownSeconds: 30 * 86_400 });
    const scene = await OwedScene.of(world, client, 'IT');
    const { payee } = scene;
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'new@example.com' });
    const row = await scene.push(6_000);
    await world.work('owed.release', payee.id); // too early
    await world.db.inTransaction(() => world.get(KeepClients).change(client.id, { coolDownSeconds: 0 }));
    await world.work('payees.resolve', client.id);
    await world.work('owed.funded', client.id);
    await world.get(RecoverOwed).recover();
    const wait = await world.db.row<{ seconds: number }>(
      `SELECT extract(epoch FROM run_at - now())::int AS seconds FROM jobs WHERE name = 'owed.release' AND entity_id = $1`,
      [payee.id],
    );
    expect(await scene.statuses(row)).toEqual(['owed']);
    expect(wait?.seconds).toBeLessThan(86_400);
  });

  test('is not put off by the longer one where the change was not heard of yet', async () => {
    world.rail.answers = () => accepted();
    const client = await world.client({ coolDownSeconds: 30 * 86_400 });
    const scene = await OwedScene.of(world, client, 'IT');
    const { payee } = scene;
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'new@example.com' });
    const row = await scene.push(6_000);
    // Not just now: nobody knows the database's time to the moment.
    await world.db.execute(`UPDATE payees SET email_changed_at = now() - interval '1 hour' WHERE id = $1`, [payee.id]);
    await world.get(ClientRegistry).byId(client.id); // as for any job of it
    await world.db.execute('UPDATE clients SET cool_down_seconds = 0 WHERE id = $1', [client.id]);
    await world.work('owed.release', payee.id);
    expect(await scene.statuses(row)).toEqual(['released']);
  });
});
