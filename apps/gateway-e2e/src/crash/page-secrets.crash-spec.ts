/** What opens a page, or sends a form, stands in no line of the log and in no row: whoever reads either gets nowhere with it. */
import { type ApiClient, newClient } from '../harness/api';
import { browse } from '../harness/browse';
import { query } from '../harness/database';
import { heldBy } from '../harness/page-keys';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

const ADDRESS = 'mock_0123456789abcdef';

describe('the secrets of pages', () => {
  let topology: Topology;
  let client: ApiClient;
  beforeAll(async () => {
    topology = await startTopology('embedded-1', { LOG_LEVEL: 'trace' });
    const { urls, operatorToken, databaseUrl } = topology;
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
    client = await newClient({ name: 'Brass & Sons', webhookUrl: 'https://app.example/hooks', checksPayees: true });
  });
  afterAll(() => stopTopology(topology));

  test('are in no log and in no row, whatever was done with them', async () => {
    const { keys, payee, payout, browser, form } = await heldBy(client);
    const place = `/portal/payments/${payout.id}`;
    for (const path of [`/onboarding/${keys.onboarding}`, `/claim/${keys.claim}`, `/wallet/${keys.waiting}`])
      await browse(path);
    for (const path of [`/claim/${keys.claim}/link`, `/wallet/${keys.waiting}`]) await browse(path, 'POST');
    await browser.post(`${place}/identity?form=${form}`);
    await browser.post(`${place}/identity/test/verified?form=${form}`);
    await browser.get(`${place}/check?to=${ADDRESS}&form=${form}`);
    await browser.post('/portal/withdraw?form=wrong');
    await browser.post(`/portal/withdraw?form=${form}`);
    await browser.post(`/portal/leave?form=${form}`);

    const output = topology.processes.map((process) => process.output).join('\n');
    expect(output).toContain('"event":"request"');
    const secrets = { ...keys, form };
    for (const [name, secret] of Object.entries(secrets))
      expect([name, output.includes(secret)]).toEqual([name, false]);
    for (const word of [ADDRESS, payee.email, payee.name]) expect([word, output.includes(word)]).toEqual([word, false]);
    for (const [name, secret] of Object.entries(secrets))
      expect([name, await tablesWith(topology.databaseUrl, secret)]).toEqual([name, []]);
  });
});

/** As text, and as bytes that are written in hex. */
async function tablesWith(databaseUrl: string, secret: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    databaseUrl,
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret, 'base64url').toString('hex')];
  for (const { name } of tables) {
    const rows = await query(
      databaseUrl,
      `SELECT 1 FROM ${name} AS each WHERE EXISTS (SELECT FROM unnest($1::text[]) AS one WHERE position(one IN each::text) > 0) LIMIT 1`,
      [forms],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
