/**
 * Another process let a client's payees be paid over another rail, and its signal is heard after the job that resolves them: what they are
 * owed leaves over that rail all the same, when it is asked for and by itself.
 */
import { ClientRegistry } from '#libs/clients';
import { ChangeRoutes } from '#libs/payees';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src/owed-scene';
import { RecoverOwed } from './jobs/recover-owed';

describe('what is owed to payees whose client was changed by another process', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
    const routes = [{ country: 'AT', rails: ['custodial_a', 'claim_rail', 'swap_rail'], blocked: false }];
    await world.get(ChangeRoutes).run(() => routes);
  });
  afterAll(() => world.stop());

  const has = async (name: string, entityId: string): Promise<boolean> =>
    (await world.db.row('SELECT 1 FROM jobs WHERE name = $1 AND entity_id = $2', [name, entityId])) !== null;

  /** It was paid over a rail at which this payee has no account. */
  async function owedOver(rail: string, { isHeardFirst = false } = {}): Promise<OwedScene> {
    const client = await world.client({ railAllowList: ['custodial_a'] });
    const scene = await OwedScene.of(world, client, 'AT');
    await scene.push(1_000);
    await world.get(ClientRegistry).byId(client.id); // as for any job of it
    await world.db.inTransaction(async () => {
      await world.db.execute('UPDATE clients SET rail_allow_list = $2 WHERE id = $1', [client.id, [rail]]);
      await world.db.execute(
        `INSERT INTO jobs (name, entity_id, lane) VALUES ('payees.resolve', $1::uuid, $1::uuid::text)`,
        [client.id],
      );
    });
    if (isHeardFirst) world.get(ClientRegistry).changed(client.id);
    await world.work('payees.resolve', client.id);
    world.get(ClientRegistry).changed(client.id);
    while (await has('payees.resolve', client.id)) await world.work('payees.resolve', client.id);
    return scene;
  }

  test.each([true, false])('can be withdrawn (heard first: %s)', async (isHeardFirst) => {
    world.rail.answers = () => refused();
    const scene = await owedOver('claim_rail', { isHeardFirst });
    expect(await scene.outcome()).toEqual([1_000]);
  });

  test.each([true, false])('leaves by itself where its rail takes it so (heard first: %s)', async (isHeardFirst) => {
    const { payee } = await owedOver('swap_rail', { isHeardFirst });
    await world.get(RecoverOwed).recover();
    expect(await has('owed.release', payee.id)).toBe(true);
  });
});
