/** A database restored from an old backup knows nothing of payees that a batch made since, nor of what it paid. */
import { randomUUID } from 'node:crypto';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import type { Client } from '#libs/clients';
import { type Payout, railKeyOf } from '#libs/payout-rules';
import { type BatchRow, CreateBatch } from './use-cases/create-batch';
import type { CreatedPayout } from './use-cases/create-payouts';

describe('a database that was restored from an old backup', () => {
  let worlds: MoneyWorld[];
  beforeAll(async () => {
    worlds = [await startMoneyWorld(), await startMoneyWorld()];
  });
  afterAll(() => Promise.all(worlds.map((world) => world.stop())));

  /** The same client in both, which know nothing of each other. */
  const inBoth = async (send: (world: MoneyWorld, client: Client) => Promise<Payout>): Promise<Payout[]> => {
    const clientId = randomUUID();
    const made: Payout[] = [];
    for (const world of worlds) {
      const client = await world.client();
      await world.db.execute('UPDATE clients SET id = $2 WHERE id = $1', [client.id, clientId]);
      made.push(await send(world, { ...client, id: clientId }));
    }
    return made;
  };
  const sent = async (world: MoneyWorld, client: Client, whom: Partial<BatchRow>): Promise<CreatedPayout> => {
    const row = { amountCents: 6_000, currency: 'USD', ...whom };
    const [made] = await world.get(CreateBatch).run(client, 'payroll', [row]);
    return made as CreatedPayout;
  };

  test('gives a batch that names an address, sent again, the same code', async () => {
    const [one, other] = await inBoth(async (world, client) => {
      const { payout } = await sent(world, client, { email: 'bob@example.com' });
      return payout;
    });
    expect(other?.payeeId).not.toBe(one?.payeeId);
    expect(other?.railKey).toBe(one?.railKey);
  });

  test('gives a batch that names an address the same code, although whoever had it was made since the backup, under a name of the caller', async () => {
    const names = ['ada', null];
    const [one, other] = await inBoth(async (world, client) => {
      const externalId = names.shift();
      if (externalId) await world.payee(client, { externalId, email: 'ada@example.com' });
      return (await sent(world, client, { email: 'ada@example.com' })).payout;
    });
    expect(one?.externalId).toBe('ada');
    expect(other?.externalId).not.toBe('ada');
    expect(other?.railKey).toBe(one?.railKey);
  });

  test('gives a batch that names a payee who is made again the same code', async () => {
    const [one, other] = await inBoth(async (world, client) => {
      const { id: payeeId } = await world.payee(client, { externalId: 'ada' });
      return (await sent(world, client, { payeeId })).payout;
    });
    expect(other?.payeeId).not.toBe(one?.payeeId);
    expect(other?.railKey).toBe(one?.railKey);
  });

  test('knows a row again by its payee, however it names them, and by the code that an earlier version gave it', async () => {
    const [world] = worlds as [MoneyWorld];
    const client = await world.client();
    const { payout } = await sent(world, client, { email: 'eve@example.com' });
    const repeated = { duplicate: true, payout: { id: payout.id } };
    expect(await sent(world, client, { payeeId: payout.payeeId })).toMatchObject(repeated);
    const railKey = railKeyOf('spec', client.id, payout.idempotencyKey);
    await world.db.execute('UPDATE payouts SET rail_key = $2 WHERE id = $1', [payout.id, railKey]);
    expect(await sent(world, client, { email: 'eve@example.com' })).toMatchObject(repeated);
  });
});
