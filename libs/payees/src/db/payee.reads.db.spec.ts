import { randomUUID } from 'node:crypto';
import type { KycStatus } from '#libs/domain';
import { rowsRemoved, scratchDb, type ScratchDb } from '#libs/db/testing';
import { PayeeReads } from './payee.reads';
import { PayeeSearchReads } from './payee-search.reads';

describe('a list of payees', () => {
  const clientId = randomUUID();
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute(
      `INSERT INTO clients (id, name, status, test_mode, status_version, scopes, event_types, prepaid,
      default_currency, caps, floors, withdraw_policy, require_signature_v2)
      VALUES ($1, 'a', 'active', true, 1, '{}', '{}', false, 'USD', '{}', '{}', '{}', false)`,
      [clientId],
    );
    await scratch.db.execute(
      `INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status, created_at)
       SELECT gen_random_uuid(), $1, n::text, n % 2 = 0, CASE WHEN n % 2 = 0 THEN 'verified' ELSE 'pending' END, 'complete',
         now() + n * interval '1 second' FROM generate_series(1, 4000) AS n`,
      [clientId],
    );
    await scratch.db.execute('ANALYZE payees');
  });
  afterAll(() => scratch.drop());

  test.each<{ kyc?: KycStatus; payable?: boolean; found: number }>([
    { kyc: 'verified', payable: false, found: 0 },
    { kyc: 'pending', payable: true, found: 0 },
    { kyc: 'verified', payable: true, found: 11 },
    { kyc: 'verified', payable: undefined, found: 11 },
    { kyc: undefined, payable: false, found: 11 },
  ])(
    'with kyc $kyc and payable $payable is read off an index, and looks at no other payee',
    async ({ found, ...filter }) => {
      const asked = jest.spyOn(scratch.db, 'rows');
      expect(await new PayeeReads(scratch.db).list({ clientId, ...filter }, null, 10)).toHaveLength(found);
      expect(await removedByStatement(asked)).toBe(0);
    },
  );

  test('of whom somebody says a word of the name is read off indexes, and looks at no other payee', async () => {
    await scratch.db.execute(
      `UPDATE payees SET name = 'Nobody ' || external_id, email = external_id || '@example.com'`,
    );
    await scratch.db.execute(`UPDATE payees SET name = 'Ada Lovelace' WHERE external_id = '7'`);
    await scratch.db.execute('VACUUM ANALYZE payees');
    const asked = jest.spyOn(scratch.db, 'rows');
    expect(await new PayeeSearchReads(scratch.db).find({ q: 'lovel' }, null, 10)).toHaveLength(1);
    expect(await removedByStatement(asked)).toBe(0);
  });

  test.each([
    ['Dr.Hopper', ['hop', 'Dr.Hop', 'dr hop', 'DR']],
    ['Jean-Luc/Picard', ['luc', 'jean-l', 'pica', 'luc picard', 'Luc/P']],
    ['Müller_Lüdenscheidt & Söhne', ['lüden', 'söhne', 'müller_l']],
    ["Conan `O'Brien`@example.com", ['brien', "o'b", '`o', 'example']],
    ['Jürgen Müller', ['muller', 'MULLER', 'Müller', 'mu\u0308l', 'jurgen mül']],
    ['Inés López Ñúñez', ['lopez nun', 'ines', 'LÓPEZ']],
    ["Sinéad O'Brien", ['obrien', 'o’brien', "sinead o'b", 'o brien', 'brien']],
    ['Zoë D’Angelo', ['dangelo', "d'angelo", 'angelo', 'zoe dang']],
    ['Łukasz Groß Sørensen', ['lukasz', 'gross', 'groß', 'sorensen']],
  ])('named %s has the words that its punctuation parts', async (name, said) => {
    await scratch.db.execute(`UPDATE payees SET name = $1 WHERE external_id = '11'`, [name]);
    const search = new PayeeSearchReads(scratch.db);
    for (const q of said) {
      const found = await search.find({ q }, null, 10);
      expect([q, found.map(({ externalId }) => externalId)]).toEqual([q, ['11']]);
    }
    expect(await search.find({ q: 'opper' }, null, 10)).toEqual([]);
  });

  async function removedByStatement(asked: jest.SpyInstance): Promise<number> {
    const [sql, values] = asked.mock.calls[0] as [string, unknown[]];
    asked.mockRestore();
    return rowsRemoved(scratch.db, sql, values);
  }
});
