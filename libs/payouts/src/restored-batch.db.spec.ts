/** A database restored from an old backup knows nothing of payees that a batch made since, nor of what it paid. */
import { randomUUID } from 'node:crypto';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { CreateBatch } from './use-cases/create-batch';
import type { CreatedPayout } from './use-cases/create-payouts';

describe('a database that was restored from an old backup', () => {
  let worlds: MoneyWorld[];
  beforeAll(async () => {
    worlds = [await startMoneyWorld(), await startMoneyWorld()];
  });
  afterAll(() => Promise.all(worlds.map((world) => world.stop())));

  test('gives a batch that names an address, sent again, the same code', async () => {
    const clientId = randomUUID();
    const codes: string[] = [];
    for (const world of worlds) {
      const client = await world.client();
      await world.db.execute('UPDATE clients SET id = $2 WHERE id = $1', [client.id, clientId]);
      const row = { email: 'bob@example.com', amountCents: 6_000, currency: 'USD' };
      const [made] = await world.get(CreateBatch).run({ ...client, id: clientId }, 'payroll', [row]);
      codes.push((made as CreatedPayout).payout.railKey);
    }
    expect(codes[1]).toBe(codes[0]);
  });
});
