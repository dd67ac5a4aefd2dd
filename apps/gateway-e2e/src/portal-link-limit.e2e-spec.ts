/** Whoever is told that there were too many is told until when, whichever limit it was. */
import { newClient } from './harness/api';

describe('a client that asks for more links into a wallet than there are', () => {
  it('is told by RateLimit-* as after any other 429', async () => {
    const client = await newClient();
    const payee = await client.payee({ email: 'ada@example.org' });
    const ask = () => client.post(`/payees/${payee.id}/portal-link`, {});
    for (let times = 0; times < 3; times += 1) expect((await ask()).status).toBe(200);
    const { status, headers } = await ask();
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBeNull();
    for (const name of ['limit', 'remaining', 'reset'])
      expect(headers.get(`ratelimit-${name}`)).toMatch(/^[0-9]+$/);
  });
});
