/** A database whose commits wait for a standby that is gone: readiness says so while it lasts, and callers are told to come again. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, newClient, send } from '../harness/api';
import { query } from '../harness/database';
import { embeddedUrl } from '../harness/embedded-database';
import { GatewayProcess } from '../harness/gateway-process';

describe('commits that wait for a standby that is gone', () => {
  let gateway: GatewayProcess;
  let databaseUrl: string;

  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gw-standby-gone-'));
    gateway = await GatewayProcess.start({ role: 'all', databaseUrl: '', dataDir, env: { LOG_LEVEL: 'warn' } });
    databaseUrl = embeddedUrl(dataDir);
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken, databaseUrl });
  });
  afterAll(() => gateway?.kill('SIGTERM'));

  const waitFor = async (standbys: string): Promise<void> => {
    await query(databaseUrl, `ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
    await query(databaseUrl, 'SELECT pg_reload_conf()');
    await eventually(
      () => query<{ names: string }>(databaseUrl, `SELECT current_setting('synchronous_standby_names') AS names`),
      ([seen]) => seen?.names === standbys,
    );
  };
  const readiness = async (): Promise<string> => {
    const { status, body } = await send(`${gateway.url}/health/ready`, 'GET', {});
    return `${status} ${body.checks.database}`;
  };

  test('make it unready until they are confirmed', async () => {
    const client = await newClient();
    const { id } = await client.payablePayee();
    await waitFor('somebody');
    const asked = client.payout(id, { idempotencyKey: 'while it lasts' });
    await eventually(readiness, (report) => report === '503 waits for a standby that confirms nothing');
    expect((await asked).status).toBe(503);
    expect(await readiness()).toBe('503 waits for a standby that confirms nothing');
    await waitFor('');
    await eventually(readiness, (report) => report === '200 ok');
    expect((await client.payout(id, { idempotencyKey: 'while it lasts' })).status).toBeLessThan(300);
    expect(await query(databaseUrl, 'SELECT count(*)::int AS payouts FROM payouts')).toEqual([{ payouts: 1 }]);
  });
});
