/** A leaked token of an operator is taken back while what was asked with it waits for a client: no API key comes of it any more (ADR 37: out at once). */
import { Client } from 'pg';
import { type Answer, eventually, newClient, operator, underTest } from './harness/api';
import { query } from './harness/database';

const WAITING = `SELECT count(*)::int AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM clients WHERE id%'`;

describe('what waits for a client while the token of who asked for it is taken back', () => {
  test('makes no key', async () => {
    const client = await newClient();
    const named = await operator('POST', '/operators', { name: `eve-${client.id.slice(-8)}`, role: 'admin' });
    expect(named.status).toBe(201);
    const holder = new Client({ connectionString: underTest().databaseUrl });
    await holder.connect();
    let asking: Promise<Answer>;
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM clients WHERE id = $1 FOR NO KEY UPDATE', [client.id]);
      asking = operator('POST', `/clients/${client.id}/keys`, { overlapSeconds: 3600 }, named.body.token);
      await eventually(
        async () => (await query<{ waiting: number }>(underTest().databaseUrl, WAITING))[0]?.waiting,
        (found) => found === 1,
        5_000,
      );
      expect((await operator('DELETE', `/operators/${named.body.operator?.id ?? named.body.id}`)).status).toBe(200);
      await holder.query('COMMIT');
    } finally {
      await holder.end();
    }
    expect((await asking).status).toBe(401);
  });
});
