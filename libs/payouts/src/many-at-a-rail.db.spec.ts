/** A rail has funds again: what it had none for goes on by turns of clients, however much one of them has, and however old that is. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailCaller } from '#libs/rail-registry';
import { copiesOf, earlier, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { ReleaseFunded } from './use-cases/release-funded';

const MANY = 1_000;

describe('what a rail had no funds for, of a client with very many and of one with few', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const heldByItsRail = async (client: Client): Promise<Payout> => {
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.says({ first: refused('funding') });
    await world.drive(id);
    await earlier(world, id, '10 minutes');
    return world.payout(id);
  };

  test('goes on with the first looks, though its funds are enough for all', async () => {
    const busy = await heldByItsRail(await world.client());
    await copiesOf(world, busy, MANY, { created_at: 'created_at' });
    const waiting = await heldByItsRail(await world.client());
    const funds = [{ currency: 'USD', availableCents: 1_000_000_000 }];
    jest.spyOn(world.get(RailCaller), 'funding').mockResolvedValue(funds);
    // Half a minute between them.
    for (let sweep = 0; sweep < 2; sweep += 1) await world.get(ReleaseFunded).ofRails();
    const asked = await world.db.rows<{ entityId: string }>(`SELECT entity_id FROM jobs WHERE name = 'payout.retry'`);
    expect(asked).toHaveLength(400);
    expect(asked.map(({ entityId }) => entityId)).toContain(waiting.id);
  }, 120_000);
});
