/** The process that cancels a payout stands still after its rail said no. When it wakes that no is old: the rail moved the money since. */
import { type MoneyWorld, settled, standsStill, startMoneyWorld } from '../testing/src';
import { CancelPayout } from './use-cases/cancel-payout';

const STANDSTILL_MS = 60_000;

describe('a payout that was sent before and is cancelled', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test('is not, by an answer of a minute ago', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    world.rail.answers = () => ({ kind: 'refused', failure: 'account', reason: 'not now' });
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const payout = await world.payout(id);
    expect(payout.status).toBe('held');
    world.rail.knows.set(payout.railKey, { kind: 'refused', failure: 'account', reason: 'not now' });
    const lookup = world.rail.lookup.bind(world.rail);
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      world.rail.knows.set(payout.railKey, settled('after all'));
      standsStill(world, STANDSTILL_MS);
      return said;
    });
    await expect(world.get(CancelPayout).run(payout)).rejects.toMatchObject({ code: 'payout_not_cancellable' });
  });
});
