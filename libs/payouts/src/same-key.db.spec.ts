/** Two requests with one key that arrive together, the first of which names a payee that is not there. */
import { randomUUID } from 'node:crypto';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { CreatePayouts } from './use-cases/create-payouts';
import { InsertPayouts } from './use-cases/insert-payouts';

test('the second of two equal keys is paid though the first had no such payee', async () => {
  const world: MoneyWorld = await startMoneyWorld();
  const client = await world.client();
  const payee = await world.payee(client);
  const create = (payeeId: string, idempotencyKey: string) =>
    world.get(CreatePayouts).run({
      ...{ client, payeeId, amountCents: 1_000, currency: 'USD', idempotencyKey },
      ...{ ref: null, reason: null, metadata: {}, source: 'payout', actor: 'client' },
    });
  const insert = jest.spyOn(world.get(InsertPayouts), 'runFree');
  const key = randomUUID();
  const [first, second] = await Promise.allSettled([create(randomUUID(), key), create(payee.id, key)]);
  expect(insert.mock.calls.map(([intents]) => intents.length)).toEqual([2]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'payee_not_found' } });
  expect(second).toMatchObject({ status: 'fulfilled', value: { duplicate: false } });
  await world.stop();
});
