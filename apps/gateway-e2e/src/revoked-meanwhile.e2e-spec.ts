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

  const revoked = async (): Promise<Answer> => {
    const [key] = (await client.get('/keys')).body.data;
    return operator('DELETE', `/clients/${client.id}/keys/${key.id}`);
  };
  const suspended = (): Promise<Answer> => operator('PATCH', `/clients/${client.id}`, { status: 'suspended' });
  const otherSecret = (): Promise<Answer> =>
    operator('POST', `/clients/${client.id}/signing-secret`, { overlapSeconds: 0 });

  /** What an operator does is first in line for the client, and the request second. */
  async function after(deed: () => Promise<Answer>, request: () => Promise<Answer>): Promise<Answer> {
    const holder = new Client({ connectionString: underTest().databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM clients WHERE id = $1 FOR NO KEY UPDATE', [client.id]);
      const done = deed();
      await waiting(1);
      const asking = request();
      await waiting(2);
      await holder.query('COMMIT');
      expect([200, 201]).toContain((await done).status);
      return await asking;
    } finally {
      await holder.end();
    }
  }

  test.each([
    ['was revoked', revoked],
    ['was that of a client which was suspended', suspended],
    ['came with a secret that is over', otherSecret],
  ])('makes no new key, once its own %s', async (_, deed) => {
    expect((await after(deed, () => client.post('/keys', {}))).status).toBeGreaterThanOrEqual(400);
  });

  test.each([
    ['was revoked', revoked],
    ['was that of a client which was suspended', suspended],
    ['came with a secret that is over', otherSecret],
  ])('moves no webhook, once its key %s', async (_, deed) => {
    const move = (): Promise<Answer> => client.call('PUT', '/webhook', { url: 'https://eve.example/' });
    expect((await after(deed, move)).status).toBeGreaterThanOrEqual(400);
  });
});
