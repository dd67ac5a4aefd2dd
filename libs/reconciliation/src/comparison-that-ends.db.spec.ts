/** Whoever takes over, a newer version for one, does not wait until a rail was asked about all that it lists. */
import { systemClock } from '#libs/domain';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
import { ScanMovements } from './use-cases/scan-movements';

const MANY = 40;
const AT_ONCE = 8;

describe('comparing with a rail that lists money of many payouts that came to nothing', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('ends with the questions at which it is told to', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    world.rail.answers = () => refused();
    for (let count = 0; count < MANY; count += 1) {
      const { id } = await world.pay(client, payee);
      await world.drive(id);
      const { railKey, amountCents, status } = await world.payout(id);
      expect(status).toBe('failed');
      world.rail.moved.push({ railKey, amountCents, providerRef: id, currency: 'USD', movedAt: systemClock.now() });
    }
    const [told, asking] = [new AbortController(), world.get(AskRail)];
    const ask = asking.ask.bind(asking);
    const questions = jest.spyOn(asking, 'ask').mockImplementation((...about) => {
      told.abort();
      return ask(...about);
    });
    await world.get(ScanMovements).ofRail('custodial_a', told.signal);
    expect(questions.mock.calls.length).toBeLessThanOrEqual(AT_ONCE);
  });
});
