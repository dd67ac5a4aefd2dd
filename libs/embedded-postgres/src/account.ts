/** PostgreSQL refuses to run as root, so under root it runs as the owner of its data, which is `nobody` at first. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { getuid, platform } from 'node:process';

export interface Account {
  uid?: number;
  gid?: number;
}

const NOBODY = { uid: 65534, gid: 65534 };

export function accountFor(directory: string): Account {
  if (getuid?.() !== 0) return {};
  const owner = statSync(directory, { throwIfNoEntry: false });
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY;
}

/**
 * A directory as the server itself is told it. `nobody` may not be able to walk there (a checkout under /root), but a
 * process that is put there before it gives up root may stay: on Linux its path then is /proc/self/cwd.
 */
export function pathInside(account: Account, directory: string): string {
  return account.uid !== undefined && platform === 'linux' ? '/proc/self/cwd' : directory;
}

/** Root reaches everything; the account it runs the server under needs every directory above to be open to all. */
export function reaches(account: Account, path: string): boolean {
  if (account.uid === undefined) return true;
  if ((statSync(path).mode & 0o005) !== 0o005) return false;
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if ((statSync(directory).mode & 0o001) === 0) return false;
    if (directory === dirname(directory)) return true;
  }
}

/** Nothing of our own environment: it holds secrets, and PG* variables that would change the server. */
export const ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
