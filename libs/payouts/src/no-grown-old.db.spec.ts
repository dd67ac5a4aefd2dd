/** A rail's no before the next send frees the code for ever, however long the send then waits. */
import { accepted, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('a payout that is to be sent again, and waits past the memory of its rail', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test.each(['DE', 'FR', 'IT'])('is not sent under a code that the rail has forgotten (%s)', async (country) => {
    world.rail.reset();
    const client = await world.client();
    const payee = await world.payee(client, { country });
    if (country === 'FR') await world.adopt(client, payee);
    world.rail.answers = () => refused();
    const { id, railKey } = await world.pay(client, payee);
    await world.drive(id);
    world.rail.knows.set(railKey, refused());
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    // Before a worker comes to it the client is suspended, for two hours: the rails of the spec remember for one.
    await world.setStatus(client, 'suspended');
    await world.drive(id);
    await world.age(id, 2 * 3600);
    // The rail took on after all what it had refused, paid it, and has forgotten the code by now.
    world.rail.knows.delete(railKey);
    await world.setStatus(client, 'active');
    world.rail.answers = () => accepted('two');
    await world.drive(id);
    const payout = await world.payout(id);
    expect({ sends: world.rail.calls.length, asked: world.rail.asked.length, status: payout.status }).toEqual({
      sends: 1,
      asked: expect.any(Number) as number,
      status: 'held',
    });
  });
});
