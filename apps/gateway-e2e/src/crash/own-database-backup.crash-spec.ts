/** Backup and restore of a database of one's own, by the programs of its version; and what is said where there are none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ApiClient, eventually, newClient } from '../harness/api';
import { newDatabase, query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { runScript } from '../harness/npm-script';
import { OwnPostgres, ownPrograms } from '../harness/own-postgres';
import { ROOT } from '../harness/root';

const programs = ownPrograms();
const leaveOut = test['skip'];
const folder = mkdtempSync(join(tmpdir(), 'gw-own-'));
const dataDir = join(folder, 'data');
afterAll(() => rmSync(folder, { recursive: true }));

async function startOn(databaseUrl: string, deployment = 'studio'): Promise<GatewayProcess> {
  const env = { LOG_LEVEL: 'warn', DEPLOYMENT: deployment };
  const gateway = await GatewayProcess.start({ role: 'all', databaseUrl, dataDir, env });
  const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
  process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken, databaseUrl });
  return gateway;
}

/** Another session is about to make a table of that name, so the restore comes as far as that and no further. Then it is killed. */
async function cutOffInTheMiddle(file: string, settings: { DATABASE_URL: string }): Promise<void> {
  const { DATABASE_URL: url } = settings;
  const other = new Client({ connectionString: url, ssl: false });
  await other.connect();
  try {
    await other.query('BEGIN; CREATE TABLE rail_scans ()');
    const env = { PATH: process.env.PATH, ...settings };
    const restoring = spawn(process.execPath, ['tools/restore.mjs', file], { cwd: ROOT, env, stdio: 'ignore' });
    const gone = once(restoring, 'exit');
    await eventually(
      () => query(url, `${SESSIONS} AND wait_event_type = 'Lock'`),
      (waiting) => waiting.length === 1,
    );
    restoring.kill('SIGKILL');
    await gone;
    await other.query('ROLLBACK');
  } finally {
    await other.end();
  }
  await eventually(
    () => query(url, SESSIONS),
    (left) => left.length === 0,
  );
}

const SESSIONS = 'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
/** What is on its way to psql when a restore is killed gets there all the same: with its commit, if that is on its way too. */
const MORE_THAN_PIPES_HOLD = 'CREATE TABLE filler AS SELECT md5(number::text) FROM generate_series(1, 50000) AS number';
const TABLES = `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;

describe("a database of one's own", () => {
  if (programs === null) {
    process.stderr.write("Backups of a database of one's own were NOT RUN: there is no PostgreSQL 15 or newer here.\n");
    leaveOut("is backed up and restored (a PostgreSQL of one's own is not to be had)", () => undefined);
  } else {
    test('is backed up while it is in use, and restored into an empty one', async () => {
      const postgres = await OwnPostgres.start(programs);
      const settings = { DATABASE_URL: await postgres.newDatabase('live'), DATA_DIR: dataDir, DEPLOYMENT: 'studio' };
      const file = join(folder, 'own.backup');
      const first = await startOn(settings.DATABASE_URL);
      const client = await newClient();
      const payee = await client.payablePayee();
      const before = (await client.payout(payee.id, { idempotencyKey: 'monday' })).body;
      await query(settings.DATABASE_URL, `INSERT INTO rail_scans (rail, scanned_until) VALUES ('scanned', now())`);
      await query(settings.DATABASE_URL, MORE_THAN_PIPES_HOLD);
      // Whoever makes it may not know under which name the service runs.
      const { DEPLOYMENT: _, ...unnamed } = settings;
      expect(runScript('backup', [file], unnamed)).toMatchObject({ status: 0, stderr: '' });
      await client.payout(payee.id, { idempotencyKey: 'tuesday' });
      await first.kill('SIGTERM');

      const used = runScript('restore', [file], settings);
      expect(used.stderr).toMatch(/^The database at DATABASE_URL is in use already\. Make an empty one.*\n$/);
      expect(used.stderr).toContain('npm run restore -- --done-elsewhere');
      const restored = { ...settings, DATABASE_URL: await postgres.newDatabase('restored') };
      expect(runScript('restore', [file], { ...restored, DEPLOYMENT: 'other' }).stderr).toContain(
        "is of DEPLOYMENT='studio'",
      );
      const other = { ...restored, DATA_DIR: join(folder, 'elsewhere') };
      expect(runScript('restore', [file], other).stderr).toMatch(/elsewhere\/master\.key does not hold it/);
      await cutOffInTheMiddle(file, restored);
      expect(await query(restored.DATABASE_URL, TABLES)).toEqual([{ count: 0 }]);
      expect(runScript('restore', [file], restored)).toMatchObject({ status: 0, stderr: '' });
      const marked = `SELECT rail FROM rail_scans WHERE scanned_until < restored_at`;
      expect(await query(restored.DATABASE_URL, marked)).toContainEqual({ rail: 'scanned' });

      await expect(startOn(restored.DATABASE_URL, 'other')).rejects.toThrow("pays as DEPLOYMENT='studio'");
      const second = await startOn(restored.DATABASE_URL);
      const again = new ApiClient(client.id, client.key, client.secret, [second.url]);
      expect((await again.get('/payouts')).body.data).toMatchObject([{ id: before.id, status: 'paid' }]);
      expect((await again.payout(payee.id, { idempotencyKey: 'monday' })).body.id).toBe(before.id);
      expect((await again.payout(payee.id, { idempotencyKey: 'tuesday' })).body.status).toBe('paid');
      await second.kill('SIGTERM');
      await postgres.stop();
    });
  }

  test('that is newer than every pg_dump here is refused in one line that says what to install', async () => {
    const databaseUrl = await newDatabase();
    const gateway = await startOn(databaseUrl);
    await gateway.kill('SIGTERM');
    const [{ version } = { version: 0 }] = await query<{ version: number }>(
      databaseUrl,
      `SELECT current_setting('server_version_num')::int / 10000 AS version`,
    );
    const said = runScript('backup', [join(folder, 'newer.backup')], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
    if (programs !== null && programs.version >= version) return expect(said).toMatchObject({ status: 0, stderr: '' });
    expect(said.status).toBe(1);
    expect(said.stderr).toMatch(/^The server is PostgreSQL \d+, and .*\(Debian: postgresql-client-\d+\).*\n$/);
    expect(said.stderr).toContain(`postgresql-client-${version}`);
  });
});
