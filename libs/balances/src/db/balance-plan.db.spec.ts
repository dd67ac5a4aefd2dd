/** Moving a few balances must not cost more the more there are. */
import { randomUUID } from 'node:crypto';
import { readsWhole, scratchDb, type ScratchDb } from '#libs/db/testing';
import { BalanceBook } from './balance.book';

describe('moving balances', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test('looks them up and reads no others', async () => {
    await scratch.db.execute('ALTER TABLE balances DROP CONSTRAINT balances_payee_id_fkey');
    await scratch.db.execute(
      `INSERT INTO balances (payee_id, currency, moved_at) SELECT gen_random_uuid(), 'USD', now() FROM generate_series(1, 5000)`,
    );
    const written = jest.spyOn(scratch.db, 'write').mockResolvedValue();
    await new BalanceBook(scratch.db).move([
      { payeeId: randomUUID(), currency: 'USD', cents: 1, to: 'withdrawableCents' },
    ]);
    const [sql = ''] = written.mock.calls[0] ?? [];
    expect(await readsWhole(scratch.db, sql)).toEqual([]);
  });
});
