/**
 * A backup put back under the shipped rails, whose providers list nothing: what callers send again has the code of before, and
 * the providers' own books, which lie outside, show each payment once.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { freePort } from '../harness/free-port';
import { GatewayProcess } from '../harness/gateway-process';
import { readPayout } from '../harness/money';
import { runScript } from '../harness/npm-script';
import { owe, payoutOf, withdraw } from '../harness/owed';
import { RailSandbox } from '../harness/rail-sandbox';

describe('a backup that is restored under the shipped rails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-restored-rails-'));
  const dataDir = join(folder, 'data');
  const backup = join(folder, 'it.backup');
  let sandbox: RailSandbox;
  let gateway: GatewayProcess;
  let client: ApiClient;

  beforeAll(async () => {
    const port = await freePort();
    sandbox = await RailSandbox.start(`http://127.0.0.1:${port}`);
    const env = { ...(await sandbox.settings()), LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };
    gateway = await GatewayProcess.start({ role: 'all', databaseUrl: '', dataDir, env }, port);
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken, databaseUrl: '' });
    await operator('PUT', '/routes', { routes: { DE: ['claim_rail'] } });
    client = await newClient({ testMode: false, defaultCurrency: 'EUR' });
    await sandbox.does('claim_rail', 'register', { email: 'ada@example.org' });
    await sandbox.does('custodial_a', 'account', { id: 'acct_bob' });
    expect(runScript('backup', [backup], { DATA_DIR: dataDir })).toMatchObject({ status: 0, stderr: '' });
  });
  afterAll(async () => {
    await gateway?.kill('SIGTERM');
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  });

  /** What a caller does, who knows its own ids and keys, and nothing of backups. */
  const allOfIt = async (): Promise<Json[]> => {
    const ada = await client.payee({ externalId: 'ada', country: 'DE', email: 'ada@example.org' });
    const bob = await client.payee({ externalId: 'bob', country: 'DE', email: 'bob@example.org' });
    const account = { provider: 'custodial_a', providerAccountId: 'acct_bob' };
    expect((await client.post(`/payees/${bob.id}/methods`, account)).status).toBe(200);
    const direct = [
      await client.payout(ada.id, { idempotencyKey: 'ada', amountCents: 1_001, currency: 'EUR' }),
      await client.payout(bob.id, { idempotencyKey: 'bob', amountCents: 1_002, currency: 'EUR' }),
    ];
    const rows = await owe(client, ada.id, [2_002], { externalRef: 'row', currency: 'EUR' });
    expect((await withdraw(client, ada.id)).status).toBe(200);
    const payouts = [...direct.map(({ body }) => body), await payoutOf(client, rows[0])];
    return Promise.all(
      payouts.map(({ id }) =>
        eventually(
          () => readPayout(client, id),
          ({ status }) => status === 'paid',
        ),
      ),
    );
  };
  const books = async (): Promise<Json> => {
    const { payments } = await sandbox.books('claim_rail');
    const { transfers, payouts } = await sandbox.books('custodial_a');
    return {
      ada: payments.map(({ itemId, units, status }: Json) => ({ itemId, units, status })),
      bob: { transfers, payouts },
    };
  };

  it('pays nobody twice when callers send all of it again', async () => {
    const first = await allOfIt();
    const before = await books();
    expect(before.ada.map(({ units }: Json) => units).sort()).toEqual([1_001, 2_002]);
    expect(before.bob).toMatchObject({ transfers: [{ units: 1_002 }], payouts: [{ units: 1_002, status: 'paid' }] });

    await gateway.kill('SIGTERM');
    expect(runScript('restore', [backup], { DATA_DIR: dataDir })).toMatchObject({ status: 0, stderr: '' });
    await gateway.restart();
    expect((await client.get('/payouts')).body.data).toEqual([]);

    const again = await allOfIt();
    expect(await books()).toEqual(before);
    // Other payouts of ours, and the same payments of theirs.
    expect(again.map(({ id }) => id)).not.toEqual(first.map(({ id }) => id));
    expect(again.map(({ providerRef }) => providerRef)).toEqual(first.map(({ providerRef }) => providerRef));
  });
});
