/** What an operator asks of a client, and is refused, has its line in the audit log (point 15: refused deeds read as refused). */
import { type ApiClient, newClient, operator } from './harness/api';
import { query } from './harness/database';
import { underTest } from './harness/api';

describe('a change of a client that is refused', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient();
    expect((await operator('PATCH', `/clients/${client.id}`, { status: 'closed' })).status).toBe(200);
  });
  const lines = () =>
    query<{ action: string; after: object }>(
      underTest().databaseUrl,
      'SELECT action, after FROM audit_log WHERE client_id = $1 ORDER BY created_at, id',
      [client.id],
    );

  test('reads as refused', async () => {
    const before = (await lines()).length;
    const refused = await operator('PATCH', `/clients/${client.id}`, { status: 'active' });
    expect([refused.status, refused.body.error]).toEqual([409, 'illegal_transition']);
    expect((await lines()).slice(before)).toMatchObject([
      { action: expect.stringMatching(/_refused$/) as string, after: { error: 'illegal_transition' } },
    ]);
  });
});
