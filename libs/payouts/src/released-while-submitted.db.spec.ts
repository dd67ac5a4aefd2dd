/**
 * Whoever tries a payout again, or releases it, may have read it as submitted: it comes to rest while its rail is asked. What stands in
 * the way of what came to rest before stands in its way too.
 */
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('a payout that was read as submitted, and came to rest while its rail was asked', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  test('is not released once its rail may have forgotten its code', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'ES' });
    world.rail.says({});
    const { id, railKey } = await world.pay(client, payee);
    expect(await world.status(id)).toBe('submitted');
    await world.age(id, 7_200);
    const known = await world.payout(id);
    world.rail.calls.length = 0;
    world.rail.asked.length = 0;
    let open = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (open = resolve));
    const releasing = world
      .get(RemedyPayout)
      .release(known, 'client')
      .catch(() => undefined);
    await world.rail.lookingUp(railKey);
    world.rail.lookupGate = Promise.resolve();
    await world.drive(id);
    expect(await world.status(id)).toBe('held');
    open();
    await releasing;
    expect(world.rail.calls).toHaveLength(0);
  });
});
