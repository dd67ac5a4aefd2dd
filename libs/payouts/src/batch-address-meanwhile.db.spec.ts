/** A payee gets the address that a row of a batch names while the batch is under way, and another row names that payee. */
import { ResolveByEmail, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { type BatchRow, CreateBatch } from './use-cases/create-batch';
import type { CreatedPayout } from './use-cases/create-payouts';

describe('two rows of a batch that come to pay the same payee', () => {
  let world: MoneyWorld;
  beforeAll(async () => void (world = await startMoneyWorld()));
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test('are refused as two that name them alike, also if they do so only since it began', async () => {
    const client = await world.client();
    const { id: payeeId, externalId } = await world.payee(client, { email: 'old@example.com' });
    const byEmail = world.get(ResolveByEmail);
    const create = byEmail.create.bind(byEmail);
    jest.spyOn(byEmail, 'create').mockImplementationOnce(async (...asked) => {
      await world.get(UpsertPayee).run(client, { externalId, email: 'new@example.com' }); // the process stands still here
      return create(...asked);
    });
    const rows: BatchRow[] = [{ payeeId }, { email: 'new@example.com' }].map((whom) => ({
      ...{ amountCents: 6_000, currency: 'USD' },
      ...whom,
    }));
    const made = await world
      .get(CreateBatch)
      .run(client, 'payroll', rows)
      .catch(({ code }: { code: string }) => code);
    const told = Array.isArray(made) ? made.map((row) => (row as CreatedPayout).duplicate) : made;
    // Nobody may be told that both are paid while one payment is made.
    expect(told).toBe('duplicate_target');
  });
});
