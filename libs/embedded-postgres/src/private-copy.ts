/**
 * A copy of the PostgreSQL programs under the temporary directory, for when the checkout is closed to the account that
 * runs them. Kept from start to start, and repaired when a cleaner of temporary files has been at it.
 */
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getuid } from 'node:process';
import { type Account, reaches } from './account';

export function privateCopy(native: string, name: string, account: Account): string {
  const temporary = reaches(account, tmpdir()) ? tmpdir() : '/tmp';
  const place = join(temporary, `${name}-${getuid?.()}`);
  const owner = lstatSync(place, { throwIfNoEntry: false });
  if (owner && (owner.uid !== getuid?.() || (owner.mode & 0o022) !== 0))
    throw new Error(`${place} was not made by this user, so nothing in it will be run. Remove it, or set TMPDIR.`);
  if (owner && isComplete(native, join(place, 'native'))) return join(place, 'native');
  const draft = mkdtempSync(`${place}-`);
  chmodSync(draft, 0o755);
  copyOpenly(native, join(draft, 'native'));
  rmSync(place, { recursive: true, force: true });
  renameSync(draft, place);
  return join(place, 'native');
}

function files(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

function isComplete(native: string, copy: string): boolean {
  return files(native).every(
    (file) => statSync(join(copy, file), { throwIfNoEntry: false })?.size === statSync(join(native, file)).size,
  );
}

/** Readable by everybody, whatever the umask of the installation and of this process. */
function copyOpenly(from: string, to: string): void {
  for (const file of files(from)) {
    openDirectory(dirname(join(to, file)));
    copyFileSync(join(from, file), join(to, file));
    chmodSync(join(to, file), 0o755);
  }
}

function openDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })) return;
  openDirectory(dirname(directory));
  mkdirSync(directory);
  chmodSync(directory, 0o755);
}
