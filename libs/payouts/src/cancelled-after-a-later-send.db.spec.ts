/** A payout that is cancelled goes on, is sent once more and held again while its rail is asked: the no is about what was sent before that. */
import { type MoneyWorld, settled, startMoneyWorld } from '../testing/src';
import { CancelPayout } from './use-cases/cancel-payout';
import { RemedyPayout } from './use-cases/remedy-payout';

const NOT_NOW = { kind: 'refused', failure: 'account', reason: 'not now' } as const;

describe('a payout that was sent before and is cancelled', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test('is not, by an answer from before it was sent again', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    world.rail.answers = () => NOT_NOW;
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const payout = await world.payout(id);
    expect(payout.status).toBe('held');
    world.rail.knows.set(payout.railKey, NOT_NOW);
    const lookup = world.rail.lookup.bind(world.rail);
    let isFirst = true;
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      if (!isFirst) return said;
      isFirst = false;
      await world.get(RemedyPayout).release(await world.payout(id), 'operator');
      await world.drive(id);
      expect(await world.payout(id)).toMatchObject({ status: 'held', attempt: payout.attempt + 1 });
      world.rail.knows.set(payout.railKey, settled('after all'));
      return said;
    });
    await expect(world.get(CancelPayout).run(payout)).rejects.toMatchObject({ code: 'payout_not_cancellable' });
    expect(await world.status(id)).toBe('held');
  });
});
