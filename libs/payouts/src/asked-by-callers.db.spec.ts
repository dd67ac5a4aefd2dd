/** What clients have their rails asked as often as they like waits behind money: it takes no more than half of a rail's turns, and closes no lane. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailCaller } from '#libs/rail-registry';
import { accepted, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { CancelPayout } from './use-cases/cancel-payout';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('a look-up that a client brings about', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const paid = async (): Promise<Payout> => world.pay(client, await world.payee(client, { country: 'DE' }));
  const asksAsCaller = async (work: () => Promise<unknown>): Promise<(boolean | undefined)[]> => {
    const lookup = jest.spyOn(world.get(RailCaller), 'lookup');
    await work().catch(() => undefined);
    const asked = lookup.mock.calls.map(([, , question]) => question?.byCaller);
    lookup.mockRestore();
    return asked;
  };

  test('is a question of callers if it cancels what was never sent', async () => {
    const payout = await paid();
    expect(payout.status).toBe('authorized');
    expect(await asksAsCaller(() => world.get(CancelPayout).run(payout))).toEqual([true]);
  });

  test.each(['retry', 'release'] as const)('is one if it wants a %s of what is under way', async (remedy) => {
    const { id } = await paid();
    world.rail.answers = () => accepted('one');
    await world.drive(id);
    const payout = await world.payout(id);
    world.rail.knows.set(payout.railKey, accepted('one'));
    expect(payout.status).toBe('submitted');
    expect(await asksAsCaller(() => world.get(RemedyPayout)[remedy](payout, 'client'))).toEqual([true]);
  });
});

describe('a lane, once a client asked for too much', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('is open for the money of others', async () => {
    const [one, other] = [await world.client(), await world.client()];
    const payout = await world.pay(one, await world.payee(one, { country: 'DE' }));
    world.rail.knows.set(payout.railKey, { kind: 'not_now', afterSeconds: 60, detail: 'too many look-ups' });
    await world.get(CancelPayout).run(payout);
    const { id } = await world.pay(other, await world.payee(other, { country: 'DE' }));
    world.rail.answers = () => accepted('two');
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(1);
  });
});
