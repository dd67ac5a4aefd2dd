/**
 * A process takes a send on and stands still for three seconds before it makes the call (less than it is given to begin, BEGIN_WITHIN_MS). Its payee is
 * blocked meanwhile: nothing has left, and nothing leaves. What waited for its turn is looked at once more (`hasWaited`), and so is what slept before.
 */
import type { Client } from '#libs/clients';
import { AskRail } from './use-cases/ask-rail';
import { type MoneyWorld, settled, startMoneyWorld, ticksAhead } from '../testing/src';

const STOOD_STILL_MS = 3_000;

describe('a payee who is blocked while the process that pays them stands still', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test('is not paid', async () => {
    world.rail.answers = () => settled();
    const payee = await world.payee(client);
    const { id } = await world.pay(client, payee);
    const rail = world.get(AskRail);
    const orderOf = rail.orderOf.bind(rail);
    jest.spyOn(rail, 'orderOf').mockImplementation(async (payout) => {
      const taken = await world.payout(id);
      expect([taken.status, taken.openAttempts.length]).toEqual(['submitted', 1]);
      await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);
      ticksAhead(world, () => STOOD_STILL_MS);
      return orderOf(payout);
    });
    await world.drive(id);
    expect(world.rail.callsOf(id)).toEqual([]);
  });
});
