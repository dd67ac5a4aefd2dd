/** Payouts that were created together, when nobody heard whether their transaction was committed. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/auth';
import { CommitUnknown } from '#libs/db';
import { happening } from '#libs/db/testing';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, settled, startMoneyWorld } from '../testing/src';
import { type CreatedPayout, CreatePayouts } from './use-cases/create-payouts';

describe('payouts whose commit nobody heard of', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
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

  /** Both in one transaction, because two others are under way, and the payee is held until both are done. */
  const createTogether = async (keys: string[], commitMeets: 'ended before' | 'answer lost') => {
    const others = await Promise.all([world.payee(client), world.payee(client)]);
    const [held, mayEnd] = [happening(), happening()];
    const holder = world.db.inTransaction(async () => {
      await world.db.row('SELECT FROM payees WHERE id = $1 FOR UPDATE', [payee.id]);
      held.happens();
      await mayEnd.promise;
    });
    await held.promise;
    const underWay = others.map(({ id }) => create(randomUUID(), id));
    const together = Promise.allSettled(keys.map((key) => create(key, payee.id)));
    await Promise.all(underWay);
    let commits = 0;
    world.proxy.decide = ({ sql }) => (sql === 'COMMIT' && (commits += 1) === 2 ? commitMeets : 'pass');
    mayEnd.happens();
    await holder;
    return together;
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
