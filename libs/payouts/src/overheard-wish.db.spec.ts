/**
 * A call that a rail asked for waits for long, and is done by hand meanwhile. Then a worker wakes with what the first try was told, which was refused
 * since: that asks for nothing, and does not make what was asked for before any younger.
 */
import type { Client } from '#libs/clients';
import { RemedyPayout } from './use-cases/remedy-payout';
import { accepted, legsScene, type MoneyWorld, refused, settled, startMoneyWorld, thenDo } from '../testing/src';

describe('an old word about an earlier try of a payout in legs', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());
  const { passes, says, pay, drive, callsOf, knows } = legsScene(() => ({ world, client }));

  test('makes a call that its rail asked for long ago no younger', async () => {
    const payout = await pay();
    const asleep = world.drive(payout.id);
    world.later(asleep);
    const call = await world.rail.call(1);
    says({ first: accepted('one') });
    await drive(payout);
    await world.age(payout.id, 60);
    knows(payout, refused());
    expect((await drive(payout)).status).toBe('failed');
    await world.get(RemedyPayout).retry(await world.payout(payout.id), 'client');
    says({ first: thenDo('payout'), payout: settled('again') });
    expect((await drive(payout)).legs).toMatchObject([{ name: 'payout', toSend: true, sends: 0 }]);
    // Its lane was closed, or its worker gone.
    await passes(payout, 7_200);
    knows(payout, settled());
    call.answer(accepted('one'));
    await asleep;
    await drive(payout);
    expect(callsOf(payout)).toEqual(['first', 'first', 'first']);
    expect((await world.payout(payout.id)).status).toBe('paid');
  });
});
