/** What waited for its client goes on, and nothing else: that comes to an end, however much the client sends meanwhile. */
import { PayoutReads } from './db/payout.reads';
import { ResumePayouts } from './use-cases/resume-payouts';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('the payouts of a client that is active again', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('are those that waited, although another one is made with each look', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'DE' });
    const made = async (): Promise<void> => {
      const { id } = await world.pay(client, payee);
      expect(await world.status(id)).toBe('authorized');
    };
    await made();
    const reads = world.get(PayoutReads);
    const waitingToBeSent = reads.waitingToBeSent.bind(reads);
    const looks = jest.spyOn(reads, 'waitingToBeSent').mockImplementation(async (...asked) => {
      const found = await waitingToBeSent(...asked);
      if (looks.mock.calls.length < 20) await made();
      return found;
    });
    await world.get(ResumePayouts).resume(client.id, 1, { signal: new AbortController().signal });
    expect(looks).toHaveBeenCalledTimes(2);
  });
});
