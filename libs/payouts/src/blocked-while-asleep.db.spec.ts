/**
 * A process takes a send on and stands still for three seconds before it makes the call (less than it is given to begin, BEGIN_WITHIN_MS). Its payee is
 * blocked meanwhile: nothing has left, and nothing leaves. What waited for its turn is looked at once more (`hasWaited`), and so is what slept before.
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { systemClock } from '#libs/domain';
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

  /** It lost its turn, and so is looked at, whatever a clock that was set back meanwhile says. */
  test('is not paid by a process that slept for forty seconds while the clock of the database was set back', async () => {
    world.rail.answers = () => settled();
    const payee = await world.payee(client);
    const { id } = await world.pay(client, payee);
    const rail = world.get(AskRail);
    const orderOf = rail.orderOf.bind(rail);
    jest.spyOn(rail, 'orderOf').mockImplementation(async (payout) => {
      expect((await world.payout(id)).openAttempts).toHaveLength(1);
      await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);
      const clock = world.get(DatabaseClock);
      const set = clock.set.bind(clock);
      const system = systemClock.now.bind(systemClock);
      ticksAhead(world, () => 40_000);
      jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(system().getTime() + 40_000));
      set(new Date(system().getTime() - 20_000), clock.reading()); // by a minute
      return orderOf(payout);
    });
    await world.drive(id);
    expect(world.rail.callsOf(id)).toHaveLength(0);
  });
});
