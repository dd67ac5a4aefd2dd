/**
 * A client's cool-down is made longer at another process, whose word has not come here yet: a payee who becomes somebody else cools down for
 * as long as is stored, or whoever changed them adopts an account at once.
 */
import { type Client, ClientRegistry } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('a payee who becomes somebody else, whose client has another cool-down since a moment ago', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('cools down for as long as it wants by now', async () => {
    const client = await world.client({ coolDownSeconds: 0 });
    const payee = await world.payee(client);
    await world.db.execute(
      `INSERT INTO methods (id, client_id, payee_id, provider, provider_account_id, test_mode, payable, status)
       VALUES (gen_random_uuid(), $1, $2, 'custodial_a', 'acct_1', $3, true, 'active')`,
      [client.id, payee.id, client.testMode],
    );
    const known = (await world.get(ClientRegistry).byId(client.id))?.client as Client; // as the request's guard knows it
    await world.db.execute('UPDATE clients SET cool_down_seconds = 3600 WHERE id = $1', [client.id]);
    const wanted = { externalId: payee.externalId, email: 'eve@example.com', name: 'Eve' };
    const { coolingUntil } = await world.get(UpsertPayee).run(known, wanted);
    expect(((coolingUntil?.getTime() ?? 0) - systemClock.now().getTime()) / 1000).toBeGreaterThan(3_000);
  });

  test('adopts no account as long as it wants by now, once the address by which they are paid is another', async () => {
    const client = await world.client({ coolDownSeconds: 0 });
    const payee = await world.payee(client, { country: 'DE' });
    await world.payee(client, { ...payee, email: 'eve@example.com' });
    const known = (await world.get(ClientRegistry).byId(client.id))?.client as Client;
    await world.db.execute('UPDATE clients SET cool_down_seconds = 3600 WHERE id = $1', [client.id]);
    await expect(world.adopt(known, payee)).rejects.toMatchObject({ code: 'payee_cooling_down' });
  });
});
