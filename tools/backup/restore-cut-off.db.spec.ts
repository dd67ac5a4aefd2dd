/**
 * A restore is cut off in the middle (its shell is closed, its machine starts anew): a database that a service can be started on has its
 * marks by then. Without them rows leave before the lists of all rails were compared with, and may have gone by another one since (ADR 106).
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { dataSourceOptions, migrate } from '#libs/db';
import { startEmbeddedPostgres } from '#libs/embedded-postgres';

const ROOT = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'payout-gateway-cut-off-'));
const [from, to, file] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'it.backup')];
const environment = (dataDir: string): Record<string, string> => ({
  ...{ PATH: process.env.PATH ?? '', DATA_DIR: dataDir, MASTER_KEY: '5e'.repeat(32), NO_COLOR: '1' },
});

async function query<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** As one that is large, or on a slow disk: its statistics take a while. */
async function backedUp(): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir: from, fast: true });
  await migrate(dataSourceOptions({ url: postgres.url, poolSize: 2, onPoolError: () => undefined }));
  await query(postgres.url, `INSERT INTO rail_scans (rail, scanned_until) VALUES ('claim_rail', now())`);
  const [{ name }] = (await query<{ name: string }>(postgres.url, 'SELECT current_database() AS name')) as [
    { name: string },
  ];
  await query(postgres.url, `ALTER DATABASE ${name} SET vacuum_cost_delay = '100ms'`);
  await query(postgres.url, `ALTER DATABASE ${name} SET vacuum_cost_limit = 1`);
  const { status, stderr } = spawnSync(process.execPath, ['tools/backup.mjs', file], {
    cwd: ROOT,
    env: environment(from),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  await postgres.stop();
}

async function inTheMiddle(url: string): Promise<void> {
  const LOOK = `SELECT pid FROM pg_stat_activity WHERE query = 'ANALYZE' AND state = 'active'`;
  for (let turn = 0; turn < 200; turn += 1) {
    if ((await query(url, LOOK)).length > 0) return;
    await pause(50);
  }
  throw new Error('It did not come to its statistics.');
}

describe('a restore that is cut off', () => {
  let restoring: ChildProcess | undefined;
  afterAll(() => {
    restoring?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  beforeAll(backedUp, 60_000);

  test('leaves no database behind that does not say that its lists are of before', async () => {
    restoring = spawn(process.execPath, ['tools/restore.mjs', file], {
      cwd: ROOT,
      env: environment(to),
      stdio: 'ignore',
    });
    const over = new Promise((resolve) => restoring?.once('exit', resolve));
    while (!existsSync(join(to, 'postgres', 'postmaster.pid'))) await pause(20);
    const beside = await startEmbeddedPostgres({ dataDir: to });
    await inTheMiddle(beside.url);
    restoring.kill('SIGKILL');
    await over;
    await beside.stop();
    // As the service starts on it.
    const service = await startEmbeddedPostgres({ dataDir: to });
    const unmarked = await query(service.url, 'SELECT rail FROM rail_scans WHERE restored_at IS NULL');
    await service.stop();
    expect(unmarked).toEqual([]);
  }, 120_000);

  test('leaves nothing of the copy behind if it is told to end while it tries it', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    restoring = spawn(process.execPath, ['tools/restore.mjs', file], {
      cwd: ROOT,
      env: environment(elsewhere),
      stdio: 'ignore',
    });
    const over = new Promise((resolve) => restoring?.once('exit', resolve));
    const drafts = (): string[] => readdirSync(elsewhere).filter((name) => name.startsWith('postgres.restore-'));
    const isTried = (): boolean =>
      drafts().some((name) => existsSync(join(elsewhere, name, 'postgres', 'postmaster.pid')));
    while (!isTried()) await pause(20);
    restoring.kill('SIGTERM');
    expect(await over).toBe(1);
    expect(drafts()).toEqual([]);
  }, 120_000);
});
