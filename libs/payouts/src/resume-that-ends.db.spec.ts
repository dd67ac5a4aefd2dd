/** What waited for its client goes on, and nothing else: that comes to an end, however much the client sends meanwhile. */
import { systemClock } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { PayoutReads } from './db/payout.reads';
import { ResumePayouts } from './use-cases/resume-payouts';
import { copiesOf, type MoneyWorld, startMoneyWorld } from '../testing/src';

const PORTION = 500;
const PORTIONS = 2;

describe('the payouts of a client that is active again', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('go on a portion at a time, and are those that waited, although another one is made with each look', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'DE' });
    const made = async (): Promise<Payout> => {
      const payout = await world.pay(client, payee);
      expect(payout.status).toBe('authorized');
      return payout;
    };
    await copiesOf(world, await made(), PORTIONS * PORTION, { created_at: 'created_at' });
    const reads = world.get(PayoutReads);
    const waitingToBeSent = reads.waitingToBeSent.bind(reads);
    const looks = jest.spyOn(reads, 'waitingToBeSent').mockImplementation(async (...asked) => {
      const found = await waitingToBeSent(...asked);
      if (looks.mock.calls.length < 20) await made();
      return found;
    });
    const job = { entityId: client.id, version: 1, createdAt: systemClock.now() };
    const outcomes: unknown[] = [];
    do outcomes.push(await world.get(ResumePayouts).resume(client.id, 1, job));
    while (outcomes.at(-1) && outcomes.length < 20);
    expect(outcomes).toEqual([...Array<object>(PORTIONS).fill({ againInSeconds: 0 }), undefined]);
    expect(looks).toHaveBeenCalledTimes(outcomes.length);
    const without = `NOT EXISTS (SELECT FROM jobs WHERE name = 'payout.drive' AND entity_id = payouts.id)`;
    expect(await world.db.rows(`SELECT FROM payouts WHERE client_id = $1 AND ${without}`, [client.id])).toEqual([]);
  }, 60_000);
});
