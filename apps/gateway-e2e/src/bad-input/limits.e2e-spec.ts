/** Callers who ask too much: counted by client, told so, and nothing of theirs is lost or taken from others. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import { signRequest } from '#libs/sdk';
import {
  type Answer,
  type ApiClient,
  eventually,
  newClient,
  operator,
  send,
  signedHeaders,
  underTest,
} from '../harness/api';

const LIMIT = 30;

describe('limits', () => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await newClient({ rateLimitPerMinute: LIMIT });
    await untilEarlyInAMinute();
  });

  const all = (asks: (() => Promise<Answer>)[]): Promise<number[]> =>
    Promise.all(asks.map(async (ask) => (await ask()).status));
  const times = (count: number, ask: () => Promise<Answer>): (() => Promise<Answer>)[] =>
    Array.from({ length: count }, () => ask);
  const counted = (statuses: number[], status: number): number => statuses.filter((one) => one === status).length;

  test('are of the client: keys, processes, letter case and forwarded addresses share one', async () => {
    const { body } = await operator('POST', `/clients/${client.id}/keys`, { overlapSeconds: 600 });
    const sameClient = new Map([
      [0, client.key],
      [1, body.apiKey as string],
    ]);
    const statuses = await all(
      times(2 * LIMIT, () => client.get('/payees')).map((_, index) => () => {
        const key = sameClient.get(index % 2) as string;
        const { urls } = underTest();
        return send(`${urls[index % urls.length]}/api/v1/payees`, 'GET', {
          ...signedHeaders(key, client.secret, ''),
          'x-forwarded-for': `203.0.113.${index}`,
        });
      }),
    );
    expect([counted(statuses, 200), counted(statuses, 429)]).toEqual([LIMIT, LIMIT]);
  });

  test('are not used up by those who only know the key', async () => {
    const forged = times(2 * LIMIT, () =>
      client.raw('GET', '/payees', undefined, { 'x-gw-signature': '0'.repeat(64) }),
    );
    expect(counted(await all(forged), 401)).toBe(2 * LIMIT);
    expect(counted(await all(times(LIMIT, () => client.get('/payees'))), 200)).toBe(LIMIT);
  });

  test('count a request with both signatures once', async () => {
    const post = (): Promise<Answer> => {
      const body = JSON.stringify({ externalId: randomUUID() });
      const target = '/api/v1/payees';
      const credentials = { apiKey: client.key, signingSecret: client.secret };
      const second = signRequest(credentials, { method: 'POST', target, body });
      const first = signedHeaders(client.key, client.secret, body, Number(second['x-gw-timestamp']));
      return client.raw('POST', '/payees', body, { ...first, ...second });
    };
    expect(counted(await all(times(LIMIT, post)), 200)).toBe(LIMIT);
    expect((await post()).status).toBe(429);
  });

  test('refuse a POST without using up its signature, and say no Retry-After', async () => {
    await all(times(LIMIT, () => client.get('/payees')));
    const body = JSON.stringify({ externalId: randomUUID() });
    const headers = signedHeaders(client.key, client.secret, body);
    const post = () => client.raw('POST', '/payees', body, headers);
    const refused = await post();
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect([refused.headers.get('ratelimit-limit'), refused.headers.get('ratelimit-remaining')]).toEqual([
      `${LIMIT}`,
      '0',
    ]);
    const resetSeconds = Number(refused.headers.get('ratelimit-reset'));
    expect(resetSeconds).toBeGreaterThan(0);
    expect(resetSeconds).toBeLessThanOrEqual(60);
    await operator('PATCH', `/clients/${client.id}`, { rateLimitPerMinute: 10 * LIMIT });
    // A process hears of the new limit a moment after the one that made it; what it refuses meanwhile leaves no mark.
    expect((await eventually(post, ({ status }) => status !== 429)).status).toBe(200);
    expect((await post()).body.error).toBe('replayed_request');
  });

  test('end the scanning of ids, which told nothing meanwhile', async () => {
    const answers = await Promise.all(
      times(3 * LIMIT, () => client.get(`/payees/${randomUUID()}`)).map((ask) => ask()),
    );
    const missing = answers.filter(({ status }) => status === 404);
    expect(missing).toHaveLength(LIMIT);
    expect(new Set(missing.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2 * LIMIT);
  });
});

/** The window is the minute of the wall clock: what counts to a limit must not meet its turn. */
async function untilEarlyInAMinute(): Promise<void> {
  const intoMinute = systemClock.now().getTime() % 60_000;
  if (intoMinute > 50_000) await new Promise((resolve) => setTimeout(resolve, 60_000 - intoMinute));
}
