/** An operator has rails asked about all that is under way: that comes to an end, however much clients send meanwhile. */
import { AskRail } from '#libs/payouts';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
import { ReconcilePayouts } from './use-cases/reconcile-payouts';

const AT_FIRST = 10;
const LONG = 100;

describe('asking about all that is under way', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('ends, although another payout is sent with each answer', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'DE' });
    world.rail.answers = () => accepted();
    const sent = async (): Promise<void> => {
      const { id } = await world.pay(client, payee);
      await world.drive(id);
      expect(await world.status(id)).toBe('submitted');
    };
    for (let count = 0; count < AT_FIRST; count += 1) await sent();
    const asking = world.get(AskRail);
    const lookUp = asking.lookUp.bind(asking);
    let asked = 0;
    jest.spyOn(asking, 'lookUp').mockImplementation(async (payout) => {
      asked += 1;
      if (asked < LONG) await sent();
      return lookUp(payout);
    });
    await world.get(ReconcilePayouts).run();
    expect(asked).toBeLessThan(3 * AT_FIRST);
  }, 60_000);
});
