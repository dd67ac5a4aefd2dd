/** Payouts that were created together, when nobody heard whether their transaction was committed. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { CommitUnknown } from '#libs/db';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, settled, startMoneyWorld } from '../testing/src';
import { type CreatedPayout, CreatePayouts } from './use-cases/create-payouts';
import { InsertPayouts } from './use-cases/insert-payouts';

describe('payouts whose commit nobody heard of', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld({ proxied: true });
    world.rail.answers = () => settled();
    client = await world.client();
  });
  beforeEach(async () => {
    payee = await world.payee(client);
  });
  afterEach(() => {
    world.proxy.decide = () => 'pass';
  });
  afterAll(() => world.stop());

  const create = (idempotencyKey: string, payeeId: string): Promise<CreatedPayout> =>
    world.get(CreatePayouts).run({
      client,
      payeeId,
      amountCents: 1_000,
      currency: 'USD',
      idempotencyKey,
      ref: null,
      reason: null,
      metadata: {},
      source: 'payout',
      actor: 'client',
    });

  /** Both in one transaction: they come in one turn of the event loop. */
  const createTogether = async (keys: string[], commitMeets: 'ended before' | 'answer lost') => {
    const insert = jest.spyOn(world.get(InsertPayouts), 'runFree');
    world.proxy.decide = ({ sql }) => (sql === 'COMMIT' ? commitMeets : 'pass');
    const outcomes = await Promise.allSettled(keys.map((key) => create(key, payee.id)));
    expect(insert.mock.calls.map(([intents]) => intents.length)).toEqual([keys.length]);
    insert.mockRestore();
    world.proxy.decide = () => 'pass';
    return outcomes;
  };

  test('a payout that was there before is no proof that the others were made', async () => {
    const [there, fresh] = [randomUUID(), randomUUID()];
    await create(there, payee.id);
    const outcomes = await createTogether([there, fresh], 'ended before');
    expect(outcomes).toEqual([
      { status: 'rejected', reason: expect.any(CommitUnknown) as Error },
      { status: 'rejected', reason: expect.any(CommitUnknown) as Error },
    ]);
    expect(await create(fresh, payee.id)).toMatchObject({ duplicate: false });
    expect(await create(there, payee.id)).toMatchObject({ duplicate: true });
  });

  test('each is answered as a repeat once all of them are found', async () => {
    const keys = [randomUUID(), randomUUID()];
    expect(await createTogether(keys, 'answer lost')).toEqual(
      keys.map((idempotencyKey) => ({
        status: 'fulfilled',
        value: { duplicate: true, payout: expect.objectContaining({ idempotencyKey }) as object },
      })),
    );
  });
});
