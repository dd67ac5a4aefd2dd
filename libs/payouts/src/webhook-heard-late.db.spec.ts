/**
 * A client set its webhook URL at another process, and was answered. The signal is still on its way, or was lost: what happens to a payout
 * that it makes here from then on is told all the same.
 */
import { ClientRegistry } from '#libs/clients';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';

describe('events of a client whose webhook URL was set at another process', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  const statuses = async (payoutId: string): Promise<string[]> => {
    const rows = await world.db.rows<{ status: string }>('SELECT status FROM events WHERE entity_id = $1', [payoutId]);
    return [...new Set(rows.map(({ status }) => status))];
  };

  test('are told', async () => {
    const client = await world.client({ webhookUrl: null, eventTypes: ['payout.status'] });
    const payee = await world.payee(client, { country: 'DE' });
    await world.get(ClientRegistry).byId(client.id); // as for any request of it
    await world.db.execute('UPDATE clients SET webhook_url = $2 WHERE id = $1', [client.id, 'https://hooks.example/']);
    const { id } = await world.pay(client, payee);
    expect(await statuses(id)).toEqual(['pending']);
  });
});
