/**
 * An operator revokes a leaked key while a request that was signed with it waits for the client: whoever has it makes no key of their own any
 * more, and moves no webhook. Both outlive the key for good.
 */
import { Client } from 'pg';
import { type Answer, type ApiClient, eventually, newClient, operator, underTest } from './harness/api';
import { query } from './harness/database';

const WAITING = `SELECT count(*)::int AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM clients WHERE id%'`;

describe('a request that waits while its key is revoked', () => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await newClient({ scopes: ['webhooks:write', 'keys:write'] });
  });

  const waiting = (count: number): Promise<unknown> =>
    eventually(
      async () => (await query<{ waiting: number }>(underTest().databaseUrl, WAITING))[0]?.waiting,
      (found) => found === count,
      5_000,
    );

  /** The revocation is first in line for the client, and the request second. */
  async function afterRevocation(request: () => Promise<Answer>): Promise<Answer> {
    const [key] = (await client.get('/keys')).body.data;
    const holder = new Client({ connectionString: underTest().databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM clients WHERE id = $1 FOR NO KEY UPDATE', [client.id]);
      const revoking = operator('DELETE', `/clients/${client.id}/keys/${key.id}`);
      await waiting(1);
      const asking = request();
      await waiting(2);
      await holder.query('COMMIT');
      expect((await revoking).status).toBe(200);
      return await asking;
    } finally {
      await holder.end();
    }
  }

  test('makes no new key', async () => {
    const { status, body } = await afterRevocation(() => client.post('/keys', {}));
    expect([status, body.error]).toEqual([401, 'invalid_api_key']);
  });

  test('moves no webhook', async () => {
    const { status, body } = await afterRevocation(() =>
      client.call('PUT', '/webhook', { url: 'https://eve.example/' }),
    );
    expect([status, body.error]).toEqual([401, 'invalid_api_key']);
  });
});
