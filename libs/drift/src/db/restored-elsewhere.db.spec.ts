/** A database that an archive or a snapshot brought back is told so by a command, and its rows wait as after a restore of ours. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { scratchDb, type ScratchDb } from '#libs/db/testing';

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

  const run = (settings: Record<string, string>) =>
    spawnSync(process.execPath, ['tools/restore.mjs', '--done-elsewhere'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, MASTER_KEY: '5e'.repeat(32), NO_COLOR: '1', ...settings },
      encoding: 'utf8',
    });

  test('marks every list as not read since, until it is', async () => {
    expect(run({ DATABASE_URL: scratch.url })).toMatchObject({ status: 0, stderr: '' });
    const waitedFor = 'SELECT rail FROM rail_scans WHERE scanned_until < restored_at ORDER BY rail';
    const bothAre = [{ rail: 'one' }, { rail: 'two' }];
    expect(await scratch.db.rows(waitedFor)).toEqual(bothAre);
    await scratch.db.execute(`UPDATE rail_scans SET scanned_until = now()`);
    expect(await scratch.db.rows(waitedFor)).toEqual([]);
  });

  test('is not for the embedded database', () => {
    const { status, stderr } = run({});
    expect([status, stderr]).toEqual([1, expect.stringContaining('set DATABASE_URL')]);
  });
});
