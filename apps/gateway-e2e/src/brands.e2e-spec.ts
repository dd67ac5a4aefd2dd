/** In whose name, and in which language, payees are spoken to. */
import { type ApiClient, newClient, operator } from './harness/api';
import { browse, directive, type Page } from './harness/browse';

const WEBHOOK = 'https://app.example/hooks';
const BRAND = {
  name: 'Brass <Works>',
  logo: 'https://cdn.example/logo.png?size="2"',
  color: '#0b5d3b',
  supportEmail: 'help@brass.example',
};

async function pageOf(client: ApiClient, fields = {}, language = 'xx'): Promise<Page> {
  const payee = await client.payee(fields);
  const { body } = await client.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: 'https://app.example/' });
  return browse(body.url, 'GET', language);
}

describe('the brand of a client', () => {
  test('is what its payees see on a page, and nothing else is loaded from elsewhere', async () => {
    const page = await pageOf(await newClient({ name: 'internal name', webhookUrl: WEBHOOK, brand: BRAND }));
    expect(page.text).toContain('Brass &lt;Works> wants to pay you');
    expect(page.text).not.toContain('internal name');
    expect(page.text).toContain('src="https://cdn.example/logo.png?size=&quot;2&quot;"');
    expect(page.text).toContain('--accent:#0b5d3b');
    expect(page.text).toContain('mailto:help@brass.example');
    expect(directive(page, 'img-src')).toBe('https://cdn.example');
  });

  test('can be left out, changed and taken back', async () => {
    const client = await newClient({ name: 'Plain', webhookUrl: WEBHOOK });
    const plain = await pageOf(client);
    expect(plain.text).toContain('Plain wants to pay you');
    expect(directive(plain, 'img-src')).toBeUndefined();
    const { body } = await operator('PATCH', `/clients/${client.id}`, { brand: { name: 'Renamed' } });
    expect(body).toMatchObject({ brand: { name: 'Renamed' }, locale: null });
    expect((await operator('PATCH', `/clients/${client.id}`, { brand: {} })).body.brand).toEqual({});
  });

  test.each([
    [{ color: '#ffffff' }],
    [{ color: 'red;}body{display:none' }],
    [{ logo: 'http://cdn.example/logo.png' }],
    [{ logo: 'javascript:alert(1)' }],
    [{ logo: 'https://cdn.example;sandbox/logo.png' }],
    [{ name: ' ' }],
    [{ supportEmail: 'nobody' }],
    [{ slogan: 'x' }],
    [[]],
    [null],
  ])('is not %j', async (brand) => {
    const { status, body } = await operator('POST', '/clients', { name: 'x', testMode: true, brand });
    expect([status, body.details?.fields?.[0]?.path]).toEqual([400, 'brand']);
  });
});

describe('the language of a page', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient({ webhookUrl: WEBHOOK, locale: 'fr-CA' });
  });
  const languageOf = ({ headers }: Page) => headers.get('content-language');

  test("is the payee's, else the browser's, else the client's", async () => {
    expect(languageOf(await pageOf(client, { locale: 'pt-br' }, 'de'))).toBe('pt');
    expect(languageOf(await pageOf(client, {}, 'de'))).toBe('de');
    expect(languageOf(await pageOf(client, {}, 'xx'))).toBe('fr');
    expect(languageOf(await pageOf(client, { locale: 'sw' }, 'xx'))).toBe('fr');
  });

  test('is kept with the payee as it is usually spelled, stays if it is left out, and null clears it', async () => {
    const payee = await client.payee({ locale: 'PT-br' });
    expect(payee.locale).toBe('pt-BR');
    const upsert = (fields: object) => client.post('/payees', { externalId: payee.externalId, ...fields });
    expect((await upsert({ name: 'Ada' })).body.locale).toBe('pt-BR');
    expect((await upsert({ locale: null })).body.locale).toBeNull();
  });

  test.each(['e', 'english language', 'en_US', '', 'x'.repeat(40), 7])('is not %j', async (locale) => {
    const { status, body } = await client.post('/payees', { externalId: 'l', locale });
    expect([status, body.details?.fields?.[0]?.path]).toEqual([400, 'locale']);
  });
});
