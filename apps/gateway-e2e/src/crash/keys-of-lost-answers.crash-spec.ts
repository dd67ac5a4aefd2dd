/**
 * Whoever makes a key or a token is shown it once. If the answer to the commit that made it is lost, the commit is looked up before anybody is answered:
 * else a client that makes its own key without an overlap is locked out, an operator's name is taken by a token that nobody has, and a client is made
 * twice (11; ADR 32).
 */
import { randomUUID } from 'node:crypto';
import type { Fate } from '#libs/db/testing';
import { type Answer, ApiClient, eventually, operator } from '../harness/api';
import { beginRun, type PayoutRun } from '../harness/payout-run';
import { POOL, type Proxied, startProxied, stopProxied } from '../harness/proxied';

describe('a key whose commit was done, and the answer to it lost', () => {
  let proxied: Proxied;
  let run: PayoutRun;
  beforeAll(async () => {
    proxied = await startProxied();
    run = await beginRun(proxied);
  });
  afterAll(async () => {
    await stopProxied(proxied);
    await run.catcher.stop();
  });

  interface Loss {
    fate?: Fate;
    /** From that commit on the database is away for so long. */
    awayMs?: number;
  }

  /** Of one request, which is then asked for until somebody answers. */
  const withLostCommit = async (
    request: () => Promise<Answer>,
    { fate = 'answer lost', awayMs = 0 }: Loss = {},
  ): Promise<Answer> => {
    let lostAt = 0;
    proxied.ofApi.decide = ({ application, sql }) => {
      if (lostAt > 0) return performance.now() < lostAt + awayMs ? 'ended before' : 'pass';
      if (application !== POOL || sql !== 'COMMIT') return 'pass';
      lostAt = performance.now();
      return fate;
    };
    const first = await request();
    proxied.ofApi.decide = () => 'pass';
    expect(lostAt).toBeGreaterThan(0);
    return first.status === 503 ? eventually(request, ({ status }) => status !== 503) : first;
  };

  const losses: [string, Loss][] = [
    ['', {}],
    [', though the database was away for eight seconds after it', { awayMs: 8_000 }],
    [', though the commit was still on its way as it was looked up', { fate: 'lost on its way' }],
  ];
  test.each(losses)('is told to the client that made it: its old one is over%s', async (_, loss) => {
    const { body } = await operator('POST', '/clients', { name: 'own keys', testMode: true });
    await operator('PATCH', `/clients/${body.client.id}`, { scopes: [...body.client.scopes, 'keys:write'] });
    const client = new ApiClient(body.client.id, body.apiKey, body.signingSecret, proxied.urls);
    const answer = await withLostCommit(() => client.post('/keys', {}), loss);
    expect([answer.status, answer.body.error]).toEqual([201, undefined]);
    const after = new ApiClient(client.id, answer.body.apiKey, client.secret, proxied.urls);
    expect((await after.get('/keys')).status).toBe(200);
  });

  test('is told to the admin who named an operator: the name is taken', async () => {
    const name = randomUUID();
    const answer = await withLostCommit(() => operator('POST', '/operators', { name, role: 'viewer' }));
    expect([answer.status, answer.body.error]).toEqual([201, undefined]);
    expect((await operator('GET', '/payouts?limit=1', undefined, answer.body.token)).status).toBe(200);
  });

  test('is told to the operator who made a client, a key or a secret, and made once', async () => {
    const name = randomUUID();
    const made = await withLostCommit(() => operator('POST', '/clients', { name, testMode: true }));
    const { id } = made.body.client;
    const key = await withLostCommit(() => operator('POST', `/clients/${id}/keys`, { overlapSeconds: 0 }));
    const secret = await withLostCommit(() => operator('POST', `/clients/${id}/signing-secret`, { overlapSeconds: 0 }));
    expect([made.status, key.status, secret.status]).toEqual([201, 201, 201]);
    const client = new ApiClient(id, key.body.apiKey, secret.body.signingSecret, proxied.urls);
    expect((await client.get('/payouts')).status).toBe(200);
    const lines = await operator('GET', `/audit?clientId=${id}`);
    expect(lines.body.data.map(({ action }: { action: string }) => action).sort()).toEqual([
      'client.created',
      'client.key_rotated',
      'client.signing_secret_rotated',
    ]);
  });
});
