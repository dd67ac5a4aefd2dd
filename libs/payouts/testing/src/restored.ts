/**
 * What `npm run restore -- --done-elsewhere` does to a database that was brought back to an earlier time. It did so ten minutes ago, so the next
 * comparison with each rail counts.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MoneyWorld } from './world';

const ROOT = join(__dirname, '../../../..');

export async function isRestored({ database, db }: MoneyWorld): Promise<void> {
  await promisify(execFile)(process.execPath, ['tools/restore.mjs', '--done-elsewhere'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, MASTER_KEY: '5e'.repeat(32), NO_COLOR: '1', DATABASE_URL: database.url },
  });
  for (const table of ['rail_scans', 'restores'])
    await db.execute(`UPDATE ${table} SET restored_at = restored_at - interval '10 minutes'`);
}
