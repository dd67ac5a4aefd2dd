/** Two requests with one key that arrive together, the first of which names a payee that is not there. */
import { randomUUID } from 'node:crypto';
import { happening } from '#libs/db/testing';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { CreatePayouts } from './use-cases/create-payouts';
import { InsertPayouts } from './use-cases/insert-payouts';

test('the second of two equal keys is paid though the first had no such payee', async () => {
  const world: MoneyWorld = await startMoneyWorld();
  const client = await world.client();
  const payee = await world.payee(client);
  const create = (payeeId: string, idempotencyKey: string = randomUUID()) =>
    world.get(CreatePayouts).run({
      ...{ client, payeeId, amountCents: 1_000, currency: 'USD', idempotencyKey },
      ...{ ref: null, reason: null, metadata: {}, source: 'payout', actor: 'client' },
    });
  const mayEnd = happening();
  const insert = jest.spyOn(world.get(InsertPayouts), 'runFree');
  const slow = async () => mayEnd.promise.then(() => new Map());
  insert.mockImplementationOnce(slow).mockImplementationOnce(slow);
  const others = Promise.allSettled([create(payee.id), create(payee.id)]);
  const key = randomUUID();
  const together = Promise.allSettled([create(randomUUID(), key), create(payee.id, key)]);
  mayEnd.happens();
  await others;
  const [first, second] = await together;
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'payee_not_found' } });
  expect(second).toMatchObject({ status: 'fulfilled', value: { duplicate: false } });
  await world.stop();
});
