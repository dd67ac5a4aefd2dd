/** Whoever holds a leaked key gives an older payee, whose account is theirs, the address by which a client pays somebody else. */
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { CreateBatch } from './use-cases/create-batch';
import type { CreatedPayout } from './use-cases/create-payouts';

describe('an address that another, older payee was given a moment ago', () => {
  let world: MoneyWorld;
  beforeAll(async () => void (world = await startMoneyWorld()));
  afterAll(() => world.stop());

  test.each<[string, string | undefined]>([
    ['in the place of another one', 'eve@example.com'],
    ['as their first one', undefined],
  ])('%s leads no row of a batch to the account of that payee', async (_, before) => {
    const client = await world.client();
    const upsert = world.get(UpsertPayee);
    const older = await upsert.run(client, { externalId: 'eve', email: before, name: 'Eve', country: 'FR' });
    await world.adopt(client, older);
    const ada = await world.payee(client, { country: 'FR', email: 'ada@example.com' });
    await world.adopt(client, ada);
    const pay = async (batchKey: string): Promise<CreatedPayout> => {
      const row = { email: 'ada@example.com', amountCents: 6_000, currency: 'USD' };
      const [made] = await world.get(CreateBatch).run(client, batchKey, [row]);
      return made as CreatedPayout;
    };
    expect((await pay('before')).payout).toMatchObject({ payeeId: ada.id });
    await upsert.run(client, { externalId: 'eve', email: 'ada@example.com' });
    const { payout } = await pay('after');
    expect([payout.status, payout.payeeId]).toEqual(['authorized', ada.id]);
  });
});
