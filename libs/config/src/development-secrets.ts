/**
 * In development the service makes the two secrets it needs and keeps them under DATA_DIR, readable by their owner only.
 * In production `read` has refused before this is reached.
 */
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { newToken } from '#libs/domain';
import { ensureDataDir, unusable } from './data-dir';
import type { SettingValues } from './settings';

export const OPERATOR_TOKEN_FILE = 'operator.token';
export const MASTER_KEY_FILE = 'master.key';

export function developmentSecrets(
  dataDir: string,
  values: SettingValues,
): { operatorToken: string; masterKey: string } {
  return {
    operatorToken: values.OPERATOR_TOKEN ?? kept(join(dataDir, OPERATOR_TOKEN_FILE), () => newToken('gw_op')),
    masterKey: values.MASTER_KEY ?? kept(join(dataDir, MASTER_KEY_FILE), () => randomBytes(32).toString('hex')),
  };
}

/** Two processes that start at once must agree: the file is put in place by a link, which only one of them can make. */
function kept(file: string, make: () => string): string {
  const existing = readIfThere(file);
  if (existing) return existing;
  ensureDataDir(dirname(file));
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${make()}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(file, error as NodeJS.ErrnoException);
  }
}
