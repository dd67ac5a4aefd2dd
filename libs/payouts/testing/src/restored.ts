/** What `npm run restore -- --done-elsewhere` does to a database that was brought back to an earlier time. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MoneyWorld } from './world';

const ROOT = join(__dirname, '../../../..');

export async function isRestored({ database }: MoneyWorld): Promise<void> {
  await promisify(execFile)(process.execPath, ['tools/restore.mjs', '--done-elsewhere'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, MASTER_KEY: '5e'.repeat(32), NO_COLOR: '1', DATABASE_URL: database.url },
  });
}
