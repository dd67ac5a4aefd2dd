/**
 * In development the service makes the two secrets it needs and keeps them under DATA_DIR, readable by their owner only.
 * In production `read` has refused before this is reached.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { newToken } from '#libs/domain';
import { ConfigError, ensureDataDir, unusable } from './data-dir';
import { SETTINGS, type SettingValues } from './settings';
import { replace, writeIfNone } from './whole-file';

export const OPERATOR_TOKEN_FILE = 'operator.token';
export const MASTER_KEY_FILE = 'master.key';

interface Secret {
  make: () => string;
  /** What a power cut left is not. */
  isWhole: (text: string) => boolean;
  /** Throws if something depends on the one that was there. */
  mayBeMadeAnew: () => void;
}

export function developmentSecrets(
  dataDir: string,
  values: SettingValues,
): { operatorToken: string; masterKey: string } {
  const token: Secret = {
    make: () => newToken('gw_op'),
    isWhole: (text) => /^[!-~]{20,}$/.test(text),
    mayBeMadeAnew: () => undefined,
  };
  const key: Secret = {
    make: () => randomBytes(32).toString('hex'),
    isWhole: SETTINGS.MASTER_KEY.accepts,
    mayBeMadeAnew: () => refuseIfSealed(dataDir, values),
  };
  return {
    operatorToken: values.OPERATOR_TOKEN ?? kept(join(dataDir, OPERATOR_TOKEN_FILE), token),
    masterKey: values.MASTER_KEY ?? kept(join(dataDir, MASTER_KEY_FILE), key),
  };
}

/** Two processes that start at once agree. */
function kept(file: string, { make, isWhole, mayBeMadeAnew }: Secret): string {
  const existing = readIfThere(file);
  if (existing !== null && isWhole(existing)) return existing;
  if (existing === null) {
    ensureDataDir(dirname(file));
    writeIfNone(file, `${make()}\n`);
  } else {
    mayBeMadeAnew();
    replace(file, `${make()}\n`, () => isWhole(readIfThere(file) ?? ''));
  }
  return readFileSync(file, 'utf8').trim();
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(file, error as NodeJS.ErrnoException);
  }
}

/** The embedded database, also one that a restore moved aside; what another one holds cannot be known here. */
function refuseIfSealed(dataDir: string, { DATABASE_URL }: SettingValues): void {
  const databases = readdirSync(dataDir).filter((name) => /^postgres$|^postgres\.before-restore/.test(name));
  if (DATABASE_URL === null && databases.length === 0) return;
  const anew =
    DATABASE_URL === null
      ? `move ${databases.map((name) => join(dataDir, name)).join(' and ')} elsewhere`
      : 'remove the file, and set DATABASE_URL to an empty one';
  throw new ConfigError(
    `${join(dataDir, MASTER_KEY_FILE)} is empty or cut off, as a power cut leaves it, and secrets in the database may be sealed with the ` +
      `key that it held. Put back that key, or set MASTER_KEY to it. To begin with an empty database, ${anew}.`,
  );
}
