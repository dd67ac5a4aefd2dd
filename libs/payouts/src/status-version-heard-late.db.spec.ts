/**
 * A client went over to the second version of the statuses at another process, and was answered; this one has not heard of it yet. What
 * happens from then on is written down in the words of that version: an event keeps its words for ever, also when it is replayed.
 */
import { ClientRegistry } from '#libs/clients';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('events of a client whose version of the statuses was set at another process', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  const statusesOf = async (payoutId: string): Promise<string[]> => {
    const rows = await world.db.rows<{ status: string }>(
      `SELECT payload ->> 'status' AS status FROM events WHERE entity_id = $1 ORDER BY sequence`,
      [payoutId],
    );
    return rows.map(({ status }) => status);
  };

  test('are in its words', async () => {
    const client = await world.client({ webhookUrl: 'https://hooks.example/', eventTypes: ['payout.status'] });
    const payee = await world.payee(client, { country: 'DE' });
    const known = await world.client({
      webhookUrl: 'https://hooks.example/',
      statusVersion: 2,
      eventTypes: ['payout.status'],
    });
    const asWanted = await statusesOf((await world.pay(known, await world.payee(known, { country: 'DE' }))).id);
    await world.get(ClientRegistry).byId(client.id); // as for any request of it
    await world.db.execute('UPDATE clients SET status_version = 2 WHERE id = $1', [client.id]);
    const { id } = await world.pay(client, payee);
    expect(await statusesOf(id)).toEqual(asWanted);
  });
});
