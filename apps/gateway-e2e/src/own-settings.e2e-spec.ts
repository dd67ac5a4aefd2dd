/** What clients change about themselves: their webhook and their keys. A leaked key must not be enough for that. */
import { ApiClient, newClient, operator } from './harness/api';

const OWN = ['webhooks:write', 'keys:write', 'payees:read'];
const URL_OF_HOOKS = 'https://studio.example/hooks';

const auditOf = async (clientId: string): Promise<string[]> => {
  const { body } = await operator('GET', `/audit?clientId=${clientId}&limit=100`);
  return body.data.map(({ actor, action }: { actor: string; action: string }) => `${actor} ${action}`);
};

describe('a client that keeps its own settings', () => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await newClient({ scopes: OWN });
  });
  const withKey = (key: string): ApiClient => new ApiClient(client.id, key, client.secret, client.urls);

  test('reads and changes where it is told, and leaves what it does not name', async () => {
    expect((await client.get('/webhook')).body).toEqual({ url: null, eventTypes: ['payee.updated', 'payout.status'] });
    const { status, body } = await client.call('PUT', '/webhook', { url: URL_OF_HOOKS });
    expect([status, body]).toEqual([200, { url: URL_OF_HOOKS, eventTypes: ['payee.updated', 'payout.status'] }]);
    const fewer = await client.call('PUT', '/webhook', { eventTypes: ['payout.status'] });
    expect(fewer.body).toEqual({ url: URL_OF_HOOKS, eventTypes: ['payout.status'] });
    expect((await client.call('PUT', '/webhook', { url: null })).body.url).toBeNull();
    expect((await operator('GET', `/clients/${client.id}`)).body).toMatchObject({ webhookUrl: null });
    expect((await auditOf(client.id)).filter((line) => line === 'client client.updated')).toHaveLength(3);
  });

  test.each([
    [{ url: 'ftp://studio.example/' }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ eventTypes: ['all'] }, 'eventTypes'],
    [{ webhookUrl: URL_OF_HOOKS }, 'webhookUrl'],
  ])('is not told at %j', async (wanted, path) => {
    const { status, body } = await client.call('PUT', '/webhook', wanted);
    expect([status, body.error, body.details.fields[0].path]).toEqual([400, 'invalid_request', path]);
  });

  test('makes a new key and revokes the old one with it, and never the one it uses', async () => {
    const [first] = (await client.get('/keys')).body.data;
    expect(first).toMatchObject({ inUse: true, revokedAt: null, hint: expect.stringContaining('gw_test_') });
    const made = await client.post('/keys', { overlapSeconds: 3600 });
    expect([made.status, made.body]).toEqual([201, { keyId: expect.any(String), apiKey: expect.any(String) }]);
    const renewed = withKey(made.body.apiKey);
    const own = await renewed.call('DELETE', `/keys/${made.body.keyId}`);
    expect([own.status, own.body.error]).toEqual([409, 'illegal_transition']);
    const revoked = await renewed.call('DELETE', `/keys/${first.id}`);
    expect([revoked.status, revoked.body]).toEqual([200, expect.objectContaining({ id: first.id })]);
    expect(revoked.body.revokedAt).not.toBeNull();
    expect((await client.get('/keys')).body.error).toBe('invalid_api_key');
    expect((await renewed.get('/keys')).body.data.map(({ inUse }: { inUse: boolean }) => inUse)).toEqual([false, true]);
    expect(await auditOf(client.id)).toEqual(
      expect.arrayContaining(['client client.key_rotated', 'client client.key_revoked']),
    );
  });

  test('revokes none with a key that is about to end, or nobody could call any more', async () => {
    const [first] = (await client.get('/keys')).body.data;
    const { keyId, apiKey } = (await client.post('/keys', { overlapSeconds: 3600 })).body;
    const { status, body } = await client.call('DELETE', `/keys/${keyId}`);
    expect([status, body.error]).toEqual([409, 'illegal_transition']);
    expect((await withKey(apiKey).get('/keys')).status).toBe(200);
    expect((await withKey(apiKey).call('DELETE', `/keys/${first.id}`)).status).toBe(200);
  });

  test("reaches no other client's keys", async () => {
    const other = await newClient({ scopes: OWN });
    const [theirs] = (await other.get('/keys')).body.data;
    const { status, body } = await client.call('DELETE', `/keys/${theirs.id}`);
    expect([status, body.error]).toEqual([404, 'key_not_found']);
    expect((await other.get('/keys')).status).toBe(200);
  });

  test('has no such scope unless somebody gave it, and both are signed with version 2', async () => {
    const usual = await newClient();
    const { scopes } = (await operator('GET', `/clients/${usual.id}`)).body;
    expect(scopes).not.toEqual(expect.arrayContaining(['webhooks:write']));
    for (const path of ['/webhook', '/keys']) {
      expect((await usual.get(path)).body.error).toBe('insufficient_scope');
      const old = await client.raw('GET', path, undefined);
      expect([old.status, old.body.error]).toEqual([401, 'invalid_signature']);
      expect(old.body.message).toContain('version 2 only');
    }
    expect((await client.raw('POST', '/keys', '{}')).status).toBe(401);
    expect((await client.get('/keys')).body.data).toHaveLength(1);
  });
});

describe('GET /operator/v1/payees', () => {
  test('finds a payee by what somebody at the phone can say', async () => {
    const [one, two] = [await newClient(), await newClient()];
    const mark = one.id.slice(-12);
    const ada = await one.payee({ email: `ada.${mark}@example.com`, name: `Zoë_%${mark}`, externalId: `C-${mark}` });
    const eve = await two.payee({ email: `ada.${mark}@example.com`, name: 'Eve' });
    const find = async (query: Record<string, string>): Promise<string[]> => {
      const { status, body } = await operator('GET', `/payees?${new URLSearchParams(query)}`);
      expect(status).toBe(200);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await find({ email: `ADA.${mark}@example.com` })).toEqual([eve.id, ada.id]);
    expect(await find({ q: `Ada.${mark}` })).toEqual([eve.id, ada.id]);
    expect(await find({ q: `Ada.${mark}`, clientId: two.id })).toEqual([eve.id]);
    expect(await find({ q: `zoë_%${mark}` })).toEqual([ada.id]);
    expect(await find({ q: `c-${mark}` })).toEqual([ada.id]);
    expect(await find({ externalId: `C-${mark}` })).toEqual([ada.id]);
    expect(await find({ q: `${mark}` })).toEqual([ada.id]);
    expect(await find({ q: mark.slice(1) })).toEqual([]);
    expect(await find({ q: `a_a.${mark}` })).toEqual([]);
    const page = await operator('GET', `/payees?email=ada.${mark}@example.com&limit=1`);
    expect(page.body.data[0]).toMatchObject({ id: eve.id, clientId: two.id, blocked: false });
    const next = await operator('GET', `/payees?email=ada.${mark}@example.com&limit=1&cursor=${page.body.nextCursor}`);
    expect([next.body.data[0].id, next.body.nextCursor]).toEqual([ada.id, null]);
  });

  test.each(['email=nobody', 'q=', 'clientId=x', 'limit=0', 'who=x', 'q=a&q=b'])('refuses ?%s', async (query) => {
    const { status, body } = await operator('GET', `/payees?${query}`);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });
});
