/** A leaked token of an operator is taken back while what was asked with it waits: nobody gets access by it any more (ADR 37: out at once). */
import { Client } from 'pg';
import { type Answer, type ApiClient, eventually, type Json, newClient, operator, underTest } from './harness/api';
import { query } from './harness/database';

const waiting = (statement: string): Promise<unknown> =>
  eventually(
    () =>
      query<{ pid: number }>(
        underTest().databaseUrl,
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
        [`%${statement}%`],
      ),
    (found) => found.length === 1,
    5_000,
  );

describe('what waits while the token of who asked for it is taken back', () => {
  let client: ApiClient;
  let eve: { id: string; token: string };
  beforeEach(async () => {
    client = await newClient();
    const named = await operator('POST', '/operators', { name: `eve-${client.id.slice(-8)}`, role: 'admin' });
    expect(named.status).toBe(201);
    eve = { id: named.body.operator.id, token: named.body.token };
  });

  const takenBack = (): Promise<Answer> => operator('DELETE', `/operators/${eve.id}`);
  const seen = async (): Promise<Json> => (await operator('GET', `/clients/${client.id}`)).body;

  /** Another session has what `held` locks for as long as `meanwhile` takes. */
  async function during<T>(held: string, id: string, meanwhile: () => Promise<T>): Promise<T> {
    const holder = new Client({ connectionString: underTest().databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(held, [id]);
      const result = await meanwhile();
      await holder.query('COMMIT');
      return result;
    } finally {
      await holder.end();
    }
  }

  test.each<[string, 'POST' | 'PATCH', string, Json]>([
    ['makes no key', 'POST', '/keys', { overlapSeconds: 3600 }],
    ['makes no signing secret', 'POST', '/signing-secret', { overlapSeconds: 3600 }],
    ['moves no webhook', 'PATCH', '', { webhookUrl: 'https://eve.example/' }],
  ])('for a client %s', async (_, method, path, wanted) => {
    const before = await seen();
    const LOCK = 'SELECT FROM clients WHERE id = $1 FOR NO KEY UPDATE';
    const asked = await during(LOCK, client.id, async () => {
      const answer = operator(method, `/clients/${client.id}${path}`, wanted, eve.token);
      await waiting('FROM clients WHERE id');
      expect((await takenBack()).status).toBe(200);
      return { answer };
    });
    const { status, body } = await asked.answer;
    expect([status, body.error]).toEqual([401, 'invalid_operator_token']);
    expect(await seen()).toEqual(before);
  });

  test('names no other operator', async () => {
    const LOCK = 'SELECT FROM operators WHERE id = $1 FOR UPDATE';
    const asked = await during(LOCK, eve.id, async () => {
      const revoking = takenBack();
      await waiting('UPDATE operators');
      const answer = operator('POST', '/operators', { name: `${client.id.slice(-8)}-eve`, role: 'admin' }, eve.token);
      await waiting('LOCK TABLE operators');
      return { revoking, answer };
    });
    expect((await asked.revoking).status).toBe(200);
    const { status, body } = await asked.answer;
    expect([status, body.error]).toEqual([401, 'invalid_operator_token']);
  });
});
