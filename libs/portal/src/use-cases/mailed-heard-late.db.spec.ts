/**
 * What a client wants of its mails since a moment ago, said at another process whose word has not come here yet: a link that is mailed, and
 * a mail that is not written, are decided once and for all.
 */
import { type Client, ClientRegistry } from '#libs/clients';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { MailAboutPayout } from './mail-about-payout';
import { SendPortalLink } from './send-portal-link';

describe('mails to payees of a client that another process changed', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
  });
  afterAll(() => world.stop());

  /** As any request of it knows it. */
  const known = async ({ id }: Client): Promise<Client> => (await world.get(ClientRegistry).byId(id))?.client as Client;

  test('hold no link for who was given another address, as long as it wants them to cool down by now', async () => {
    const client = await world.client({ coolDownSeconds: 0 });
    const payee = await world.payee(client, { country: 'IT' });
    await world.payee(client, { ...payee, email: 'eve@example.com' });
    const asKept = await known(client);
    await world.db.execute('UPDATE clients SET cool_down_seconds = 3600 WHERE id = $1', [client.id]);
    const sent = world.get(SendPortalLink).run(asKept, payee.id);
    await expect(sent).rejects.toMatchObject({ code: 'payee_cooling_down' });
  });

  test('are written that it wants by now', async () => {
    const client = await world.client({ mails: { payoutNeedsYou: false } });
    const { id } = await world.pay(client, await world.payee(client, { country: 'FR' }));
    await known(client);
    await world.db.execute(`UPDATE clients SET mails = '{}' WHERE id = $1`, [client.id]);
    await world.get(MailAboutPayout).run(id);
    const mails = await world.db.rows('SELECT kind FROM mails WHERE client_id = $1', [client.id]);
    expect(mails).toEqual([{ kind: 'payout_needs_you' }]);
  });
});
