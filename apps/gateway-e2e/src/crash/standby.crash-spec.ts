/** A primary that comes back as a standby, and is promoted: read-only while it is one, and well again without a restart. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/embedded-postgres';
import { eventually, send } from '../harness/api';
import { query } from '../harness/database';
import { freePort } from '../harness/free-port';
import { GatewayProcess } from '../harness/gateway-process';
import { beginRun } from '../harness/payout-run';
import { TroubledService } from '../harness/troubled-service';

describe('a database that fails over', () => {
  const databaseDir = mkdtempSync(join(tmpdir(), 'gw-standby-'));
  let postgres: EmbeddedPostgres;
  let service: TroubledService;
  let api: GatewayProcess;

  beforeAll(async () => {
    postgres = await startEmbeddedPostgres({ dataDir: databaseDir });
    const dataDir = mkdtempSync(join(tmpdir(), 'gw-standby-data-'));
    const env = {
      ...{ LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000', WORKER_PORT: String(await freePort()) },
      DATABASE_FAILOVER: 'loses_nothing',
    };
    const settings = { databaseUrl: postgres.url, dataDir, env };
    api = await GatewayProcess.start({ ...settings, role: 'api' });
    const worker = await GatewayProcess.start({ ...settings, role: 'worker' });
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    const run = await beginRun({ processes: [api, worker], urls: [api.url], operatorToken, databaseUrl: postgres.url });
    service = new TroubledService([api, worker], run);
  });
  afterAll(async () => {
    await service?.stop();
    await postgres?.stop();
  });

  test('every request is told to come back, readiness says why, and all goes on once it is promoted', async () => {
    const { url } = postgres;
    await service.pay();
    await postgres.stop();
    // Without a primary to follow it only waits to be promoted.
    writeFileSync(join(databaseDir, 'postgres/standby.signal'), '');
    postgres = await startEmbeddedPostgres({ dataDir: databaseDir });
    expect([postgres.url, await query(url, 'SELECT pg_is_in_recovery() AS so')]).toEqual([url, [{ so: true }]]);
    await service.isTroubled(/^is read-only$|^does not answer$/);
    const report = await eventually(
      () => send(`${api.url}/health/ready`, 'GET', {}),
      ({ body }) => body.checks.database === 'is read-only',
    );
    expect(report.status).toBe(503);
    for (let times = 0; times < 5; times += 1) expect((await service.tryToPay()).status).toBe(503);
    await query(url, 'SELECT pg_promote()');
    await service.isWell();
    await service.pay();
    await service.hasLostNothing(url);
    expect(api.output).not.toContain('"internal_error"');
  });
});
