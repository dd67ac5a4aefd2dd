/** Lists: every row once, newest first, whichever way they are paged and filtered. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, type Json, newClient, operator, underTest } from './harness/api';
import { query } from './harness/database';

describe('lists', () => {
  let client: ApiClient;
  let payee: Json;
  const made: string[] = [];

  beforeAll(async () => {
    client = await newClient();
    payee = await client.payablePayee();
    for (let index = 0; index < 7; index += 1) {
      const reason = index % 2 ? 'mock:pending' : undefined;
      made.unshift((await client.payout(payee.id, { ref: `ref-${index % 3}`, reason })).body.id);
    }
  });

  const pages = async (
    path: string,
    cursor: 'cursor' | 'cursor2',
    field: 'nextCursor' | 'nextCursor2',
  ): Promise<Json[]> => {
    const rows: Json[] = [];
    let next: string | null = null;
    do {
      const { body }: Answer = await client.get(`${path}${next ? `&${cursor}=${encodeURIComponent(next)}` : ''}`);
      rows.push(...body.data);
      next = body[field];
    } while (next);
    return rows;
  };
  const ids = (rows: Json[]): string[] => rows.map(({ id }) => id);

  test('payouts come newest first, by the opaque cursor, each once', async () => {
    expect(ids(await pages('/payouts?limit=3', 'cursor2', 'nextCursor2'))).toEqual(made);
  });

  test('by the published cursor too, where no two share an instant', async () => {
    expect(ids(await pages('/payouts?limit=2', 'cursor', 'nextCursor'))).toEqual(made);
    const { body } = await client.get('/payouts?limit=2');
    expect(body.nextCursor).toBe(body.data[1].createdAt);
  });

  test.each([
    ['payouts', '/payouts?limit=100', 'cursor2', 'nextCursor2'],
    ['payees', '/payees?limit=100', 'cursor', 'nextCursor'],
  ] as const)('%s that are fat come in shorter pages, each once', async (table, path, cursor, field) => {
    const fat = await newClient();
    const one = await fat.payablePayee();
    for (let index = 0; index < 30; index += 1)
      await (table === 'payouts' ? fat.payout(one.id) : fat.payee({ email: null }));
    // As rows were allowed to be before.
    const metadata = JSON.stringify({ a: '\u0001'.repeat(15_000) });
    await query(underTest().databaseUrl, `UPDATE ${table} SET metadata = $2::jsonb WHERE client_id = $1`, [
      fat.id,
      metadata,
    ]);
    const sizes: number[] = [];
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const { body }: Answer = await fat.get(`${path}${next ? `&${cursor}=${encodeURIComponent(next)}` : ''}`);
      sizes.push(JSON.stringify(body).length);
      seen.push(...ids(body.data));
      next = body[field];
    } while (next);
    expect(Math.max(...sizes)).toBeLessThan(1_048_576 + 100_000);
    expect(sizes.length).toBeLessThanOrEqual(4);
    const kept = await query<{ id: string }>(
      underTest().databaseUrl,
      `SELECT id FROM ${table} WHERE client_id = $1 ORDER BY created_at DESC, id DESC`,
      [fat.id],
    );
    expect(seen).toEqual(ids(kept));
  });

  test('rows of one instant are never skipped by the opaque cursor', async () => {
    const other = await newClient();
    const one = await other.payablePayee();
    for (let index = 0; index < 5; index += 1) await other.payout(one.id);
    await query(
      underTest().databaseUrl,
      `UPDATE payouts SET created_at = '2026-01-01T00:00:00Z' WHERE client_id = $1`,
      [other.id],
    );
    const seen: string[] = [];
    let next = '';
    for (;;) {
      const { body } = await other.get(`/payouts?limit=2${next}`);
      seen.push(...ids(body.data));
      if (!body.nextCursor2) break;
      next = `&cursor2=${body.nextCursor2}`;
    }
    expect(new Set(seen).size).toBe(5);
  });

  test('a row says why it is held, and nothing where nothing holds it', async () => {
    const { id } = await client.payee();
    const held = (await client.payout(id)).body.id;
    const { data } = (await client.get(`/payouts?payeeId=${id}`)).body;
    expect(data).toMatchObject([{ id: held, status: 'held', statusReason: expect.stringMatching(/^not_payable/) }]);
    const others = (await client.get(`/payouts?payeeId=${payee.id}`)).body.data;
    expect(others.map(({ statusReason }: Json) => statusReason)).toEqual(others.map(() => null));
  });

  test('filters compose', async () => {
    const got = async (filter: string): Promise<string[]> => ids((await client.get(`/payouts?${filter}`)).body.data);
    expect(await got('status=submitted')).toEqual(made.filter((_, index) => (6 - index) % 2 === 1));
    expect(await got('ref=ref-0')).toHaveLength(3);
    expect(await got('ref=ref-1&status=submitted')).toHaveLength(1);
    expect(await got(`payeeId=${payee.id}&provider=mock`)).toHaveLength(7);
    expect(await got(`payeeId=${randomUUID()}`)).toEqual([]);
    const { data } = (await client.get('/payouts')).body;
    const middle = encodeURIComponent(data[3].createdAt);
    expect(await got(`createdFrom=${middle}`)).toContain(made[2]);
    expect(await got(`createdTo=${middle}`)).not.toContain(made[2]);
    expect((await client.get('/payouts?createdFrom=yesterday')).body.error).toBe('invalid_request');
  });

  test('payees are paged and filtered likewise', async () => {
    const other = await newClient();
    const all = [];
    for (let index = 0; index < 5; index += 1)
      all.unshift((await other.payee({ email: `p${index % 2}@example.com` })).id);
    await other.post(`/test/payees/${all[0]}/onboarding`, { outcome: 'verified' });
    const seen: string[] = [];
    let next = '';
    for (;;) {
      const { body } = await other.get(`/payees?limit=2${next}`);
      seen.push(...ids(body.data));
      if (!body.nextCursor) break;
      next = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(all);
    const got = async (filter: string): Promise<string[]> => ids((await other.get(`/payees?${filter}`)).body.data);
    expect(await got('payable=true')).toEqual([all[0]]);
    expect(await got('payable=false&kyc=not_started')).toHaveLength(4);
    expect(await got('kyc=verified')).toEqual([all[0]]);
    expect(await got('email=P1@example.com')).toHaveLength(2);
    // Only the literal true and false filter: twice is another value.
    expect(await got('payable=true&payable=false')).toEqual(all);
  });

  test.each(['__proto__', 'constructor', 'toString', 'statuss'])(
    'the unknown parameter %s is refused',
    async (name) => {
      for (const list of ['/payouts', '/payees']) {
        const { status, body } = await client.get(`${list}?${name}=1`);
        expect([status, body.error, body.details.fields[0].path]).toEqual([400, 'invalid_request', name]);
      }
      const answer = await operator('GET', `/clients?${name}=1`);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    },
  );

  test.each([
    ['limit=1&limit=2', 'invalid_request'],
    ['status=paid&status=held', 'invalid_request'],
    ['ref=%00', 'invalid_request'],
    ['cursor=2026-02-30T00:00:00Z', 'invalid_cursor'],
    ['cursor=2026-04-31T10:00:00Z', 'invalid_cursor'],
    ['createdFrom=2026-02-30T00:00:00Z', 'invalid_request'],
    ['createdTo=2026-01-01T24:00:00Z', 'invalid_request'],
  ])('%s is refused', async (query, error) => {
    const owner = await newClient();
    const answer = await owner.get(`/payouts?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });
});
