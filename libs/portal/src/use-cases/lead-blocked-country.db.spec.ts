/** A payee whose country the operator blocked is led to their gift by nobody, as one who is blocked themselves. */
import type { Client } from '#libs/clients';
import { ChangeRoutes } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { LeadPayee } from './lead-payee';
import { visitOf } from './wallets-open.fake';

describe('a click that leads a payee to their gift', () => {
  let world: MoneyWorld;
  let client: Client;
  let handedOver: string[];
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    handedOver = [];
    Object.assign(world.rail, {
      payeeLink: async () => ({ kind: 'link', url: 'https://gifts.example/1', of: 'gift-1' }),
      handedOver: async (_: object, of: string) => void handedOver.push(of),
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());

  test('leads nobody there whose country is blocked', async () => {
    const payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    await world
      .get(ChangeRoutes)
      .run((rows) => rows.map((row) => (row.country === 'IT' ? { ...row, blocked: true } : row)));
    const led = await world.get(LeadPayee).run(await visitOf(world, client, payee, id));
    expect({ led, handedOver }).toEqual({ led: null, handedOver: [] });
  });
});
