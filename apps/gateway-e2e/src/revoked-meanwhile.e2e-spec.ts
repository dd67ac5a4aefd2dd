/**
 * An operator revokes a leaked key while a request that was signed with it waits for the client: whoever has it makes no key of their own any
 * more, and moves no webhook. Both outlive the key for good.
 */
import { Client } from 'pg';
import { type Answer, ApiClient, eventually, newClient, operator, underTest } from './harness/api';
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

  const fewerScopes = (): Promise<Answer> => operator('PATCH', `/clients/${client.id}`, { scopes: ['payouts:read'] });

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

  const JUDGED: [string, () => Promise<Answer>, [number, string]][] = [
    ['was revoked', revoked, [401, 'invalid_api_key']],
    ['was that of a client which was suspended', suspended, [403, 'client_suspended']],
    ['came with a secret that is over', otherSecret, [401, 'invalid_signature']],
    ['may do that no longer', fewerScopes, [403, 'insufficient_scope']],
  ];

  test.each(JUDGED)('makes no new key, once its own %s', async (_, deed, refusal) => {
    const { status, body } = await after(deed, () => client.post('/keys', {}));
    expect([status, body.error]).toEqual(refusal);
    const { keys } = (await operator('GET', `/clients/${client.id}`)).body;
    expect(keys).toHaveLength(1);
  });

  test.each(JUDGED)('moves no webhook, once its key %s', async (_, deed, refusal) => {
    const move = (): Promise<Answer> => client.call('PUT', '/webhook', { url: 'https://eve.example/' });
    const { status, body } = await after(deed, move);
    expect([status, body.error]).toEqual(refusal);
    expect((await operator('GET', `/clients/${client.id}`)).body.webhookUrl).toBeNull();
  });

  test.each(JUDGED.filter(([, deed]) => deed !== revoked))(
    'takes no key back, once its own %s',
    async (_, deed, refusal) => {
      const { keyId } = (await operator('POST', `/clients/${client.id}/keys`, { overlapSeconds: 3600 })).body;
      const { status, body } = await after(deed, () => client.call('DELETE', `/keys/${keyId}`));
      expect([status, body.error]).toEqual(refusal);
    },
  );

  test('does not end the key that its owner has just made', async () => {
    let made: Answer | undefined;
    const ownersTurn = async (): Promise<Answer> => (made = await client.post('/keys', {}));
    const { status, body } = await after(ownersTurn, () => client.post('/keys', {}));
    expect([status, body.error]).toEqual([401, 'invalid_api_key']);
    const renewed = new ApiClient(client.id, made?.body.apiKey, client.secret, client.urls);
    expect((await renewed.get('/keys')).status).toBe(200);
  });
});
