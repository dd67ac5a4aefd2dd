/** A standby is promoted while no process runs, and its owner said that it loses nothing: a process that starts then has to mark nothing. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/embedded-postgres';
import { query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';

describe('an owner who says that a failover loses nothing', () => {
  let postgres: EmbeddedPostgres;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    postgres = await startEmbeddedPostgres({ dataDir: mkdtempSync(join(tmpdir(), 'gw-said-so-')) });
    const dataDir = mkdtempSync(join(tmpdir(), 'gw-said-so-data-'));
    const env = { LOG_LEVEL: 'warn', DATABASE_FAILOVER: 'loses_nothing' };
    gateway = await GatewayProcess.start({ role: 'all', databaseUrl: postgres.url, dataDir, env });
  });
  afterAll(async () => {
    await gateway?.kill('SIGTERM');
    await postgres?.stop();
  });

  test('is believed by a process that starts after it too', async () => {
    await gateway.kill('SIGTERM');
    await query(postgres.url, `UPDATE database_place SET timeline = '7'`);
    await query(postgres.url, `INSERT INTO rail_scans (rail, scanned_until) VALUES ('claim_rail', now())`);
    await gateway.restart();
    expect(await query(postgres.url, 'SELECT rail FROM rail_scans WHERE restored_at IS NOT NULL')).toEqual([]);
    expect(await query(postgres.url, 'SELECT sequence_from FROM restores')).toEqual([]);
  });
});
