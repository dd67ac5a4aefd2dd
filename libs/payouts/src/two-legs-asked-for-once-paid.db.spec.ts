/** Two look-ups that lag behind ask a paid payout for the two calls that it made, one after the other, under other keys. */
import type { Client } from '#libs/clients';
import { legsScene, type MoneyWorld, settled, startMoneyWorld, thenDo } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

describe('a paid payout of two calls, that look-ups from before ask for both', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });

  const { says, pay, drive, callsOf, knows, keysOf } = legsScene(() => ({ world, client }));

  test('makes neither within two minutes', async () => {
    says({ first: thenDo('convert'), convert: thenDo('payout'), payout: settled() });
    const payout = await pay();
    const paid = await drive(payout, 3);
    expect([paid.status, ...callsOf(payout)]).toEqual(['paid', 'first', 'convert', 'payout']);
    // Its look-ups lag by seconds: two are asked for, as after two notices.
    knows(payout, thenDo('convert'));
    await world.get(AskRail).lookUp(paid);
    knows(payout, thenDo('payout'));
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first', 'convert', 'payout']);
    expect(keysOf('payout').size).toBe(1);
  });
});
