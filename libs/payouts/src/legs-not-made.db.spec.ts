/**
 * A call that its rail asked for is taken on and not made, again and again: its provider wants a rest of less than a minute each time. What the
 * rail asked for is not heard anew by that, and is asked about once it is more than a minute old.
 */
import type { Client } from '#libs/clients';
import { RailCaller } from '#libs/rail-registry';
import { legsScene, type MoneyWorld, settled, startMoneyWorld } from '../testing/src';

describe('a call that was taken on and not made', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());
  const { passes, says, inLegs, drive, callsOf, knows } = legsScene(() => ({ world, client }));

  test('is asked about before it is made, once its rail asked for it more than a minute ago', async () => {
    const payout = await inLegs();
    const advance = jest.spyOn(world.get(RailCaller), 'advance');
    for (let time = 0; time < 2; time += 1) {
      advance.mockResolvedValueOnce({ kind: 'not_sent' });
      expect((await drive(payout)).legs).toMatchObject([{ name: 'payout', toSend: true, unmade: time + 1 }]);
      await passes(payout, 40);
    }
    // It was asked for 80 seconds ago: somebody did it by hand.
    knows(payout, settled());
    says({ payout: settled('again') });
    expect((await drive(payout)).status).toBe('paid');
    expect(callsOf(payout)).toEqual(['first']);
  });
});
