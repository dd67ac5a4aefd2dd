/** A database that an archive or a snapshot brought back is told so by a command, and its rows wait as after a restore of ours. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataSourceOptions, type Db, migrate } from '#libs/db';
import { openDb, scratchDb, type ScratchDb } from '#libs/db/testing';
import { startEmbeddedPostgres } from '#libs/embedded-postgres';
import { RailLanes } from '#libs/rail-registry';
import { RailLists } from './rail-lists.book';

const ROOT = join(__dirname, '../../../..');

describe('restore --done-elsewhere', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until) VALUES ('one', now()), ('two', now() - interval '1 day')`,
    );
  });
  afterAll(() => scratch.drop());

  const awaited = async (): Promise<string[]> => (await new RailLanes(scratch.db).awaited()).map(({ rail }) => rail);
  const run = (settings: Record<string, string>) =>
    spawnSync(process.execPath, ['tools/restore.mjs', '--done-elsewhere'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, MASTER_KEY: '5e'.repeat(32), NO_COLOR: '1', ...settings },
      encoding: 'utf8',
    });

  test('marks every list as not read since, until it is', async () => {
    expect(run({ DATABASE_URL: scratch.url })).toMatchObject({ status: 0, stderr: '' });
    expect(await awaited()).toEqual(['one', 'two']);
    const readAfter = (minutes: number) =>
      scratch.db.execute(`UPDATE rail_scans SET scanned_until = restored_at + $1::int * interval '1 minute'`, [
        minutes,
      ]);
    await readAfter(9); // what was sent right before the service stopped may not be listed yet
    expect(await awaited()).toEqual(['one', 'two']);
    await readAfter(10);
    expect(await awaited()).toEqual([]);
  });

  test('marks the rails that payees are led to as well, none of which was ever read, and says whom to compare with by hand', async () => {
    await scratch.db.execute(`INSERT INTO routes (country, rails) VALUES ('DE', '{three,one}'), ('FR', '{mock}')`);
    await scratch.db.execute(
      `INSERT INTO rail_movements (rail, rail_key, movement, currency, amount_cents) VALUES ('one', 'gw-1', 'ref', 'USD', 100)`,
    );
    const { status, stdout } = run({ DATABASE_URL: scratch.url });
    expect([status, stdout]).toEqual([0, expect.stringContaining('\nthree lists nothing of what was moved')]);
    expect(stdout).toContain('\n  npm run gw -- rails compared three\n');
    expect(stdout).not.toContain('compared one');
    const lists = new RailLists(scratch.db);
    expect(await awaited()).toEqual(['one', 'three', 'two']);
    expect(await lists.comparedByHand('three')).toEqual(expect.any(Date));
    expect(await lists.comparedByHand('three')).toBeNull();
    expect(await lists.comparedByHand('nobody')).toBeNull();
    expect(await awaited()).toEqual(['one', 'two']);
    // One that lists is compared with by itself, also if it never was before.
    run({ DATABASE_URL: scratch.url });
    expect(await awaited()).toEqual(['one', 'three', 'two']);
    await scratch.db.execute(`UPDATE rail_scans SET restored_at = restored_at - interval '10 minutes'`);
    for (const rail of ['one', 'two', 'three']) await lists.scanned(rail, (await lists.window(rail, 0)).until);
    expect(await awaited()).toEqual([]);
  });

  test('marks a rail that a service spoke to, though no payout went there yet: a route may have led there since', async () => {
    await scratch.db.execute(
      `INSERT INTO rail_accounts (rail, account, mode, bound_at) VALUES ('spoken_to', 'acct', 'live', now())`,
    );
    expect(run({ DATABASE_URL: scratch.url }).stdout).toContain('rails compared spoken_to\n');
    expect(await awaited()).toContain('spoken_to');
  });

  test('marks the embedded database too, whose folder somebody put back, and needs one', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gw-put-back-'));
    const { status, stderr } = run({ DATA_DIR: dataDir });
    expect([status, stderr]).toEqual([1, expect.stringContaining('There is no database in DATA_DIR')]);
    const during = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
      const postgres = await startEmbeddedPostgres({ dataDir, fast: true });
      await migrate(dataSourceOptions({ url: postgres.url, poolSize: 2, onPoolError: () => undefined }));
      const { db, close } = await openDb(postgres.url);
      const seen = await work(db);
      await close();
      await postgres.stop();
      return seen;
    };
    await during((db) => db.execute(`INSERT INTO rail_scans (rail, scanned_until) VALUES ('one', now())`));
    expect(run({ DATA_DIR: dataDir })).toMatchObject({ status: 0, stderr: '' });
    const seen = await during((db) => new RailLanes(db).awaited());
    rmSync(dataDir, { recursive: true });
    expect(seen.map(({ rail }) => rail)).toEqual(['one']);
  });
});
