/** A rail has funds again: of what it had none for, one client's very many keep no other client's waiting. */
import { RailCaller } from '#libs/rail-registry';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { copiesOf, earlier, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { ReleaseFunded } from './use-cases/release-funded';

describe('what a rail had no funds for, of two clients', () => {
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

  test('both are looked at in one sweep', async () => {
    const busy = await heldByItsRail(await world.client());
    await copiesOf(world, busy, 200, { created_at: 'created_at' });
    const waiting = await heldByItsRail(await world.client());
    expect([busy, waiting].map(({ status, shortOf }) => [status, shortOf])).toEqual([
      ['held', 'rail'],
      ['held', 'rail'],
    ]);
    const funds = [{ currency: 'USD', availableCents: 1_000_000_000 }];
    jest.spyOn(world.get(RailCaller), 'funding').mockResolvedValue(funds);
    // Half a minute between them, in which the rail, which is slow, has answered few of the busy one's questions.
    for (let sweep = 0; sweep < 2; sweep += 1) await world.get(ReleaseFunded).ofRails();
    expect(
      await world.db.rows(`SELECT FROM jobs WHERE name = 'payout.retry' AND entity_id = $1`, [waiting.id]),
    ).toHaveLength(1);
  }, 120_000);
});
