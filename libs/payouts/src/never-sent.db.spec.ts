/** A send that was taken on, and whose process came to it too late, is still to be made. */
import type { Client } from '#libs/clients';
import { type MoneyWorld, refused, settled, startMoneyWorld } from '../testing/src';
import { RailCaller } from '#libs/rail-registry';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('a send whose process came to it too late', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('is made, whatever its rail says of the try before', async () => {
    const payee = await world.payee(client);
    const payout = await world.pay(client, payee);
    world.rail.answers = () => refused();
    await world.drive(payout.id);
    expect(await world.status(payout.id)).toBe('failed');
    world.rail.knows.set(payout.railKey, refused());
    await world.get(RemedyPayout).retry(await world.payout(payout.id), 'client');
    const late = jest.spyOn(world.get(RailCaller), 'submit').mockResolvedValueOnce({ kind: 'not_sent' });
    await world.drive(payout.id);
    expect(late).toHaveBeenCalledTimes(1);
    late.mockRestore();
    world.rail.answers = () => settled('second');
    await world.drive(payout.id);
    expect(await world.status(payout.id)).toBe('paid');
  });
});
