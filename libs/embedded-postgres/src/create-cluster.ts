/** Runs initdb beside the final place and moves the result there in one step: a half-made database is never seen. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pid } from 'node:process';
import { syncToDisk } from '#libs/config';
import { type Account, ENVIRONMENT, pathInside } from './account';

export const PASSWORD_FILE = 'gateway.password';

export async function createCluster(directory: string, bin: string, account: Account, fast: boolean): Promise<void> {
  const draft = `${directory}.${pid}.new`;
  const passwordFile = `${directory}.${pid}.password`;
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  for (const path of [draft, passwordFile]) give(path, account);
  try {
    await initdb(draft, passwordFile, join(bin, 'initdb'), account, fast);
    // A power cut leaves no database, or one whose password is there.
    if (!fast) syncToDisk(passwordFile);
    renameSync(passwordFile, join(draft, PASSWORD_FILE));
    if (!fast) syncToDisk(draft, true);
    putInPlace(draft, directory);
    if (!fast) syncToDisk(dirname(directory), true);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

function give(path: string, account: Account): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
}

/** Somebody else who started at the same moment may have been quicker: then theirs counts. */
function putInPlace(draft: string, directory: string): void {
  try {
    renameSync(draft, directory);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const INITDB = [
  ...['--username=gateway', '--auth=scram-sha-256', '--pwfile=/dev/stdin', '--encoding=UTF8', '--no-instructions'],
  ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'], // the same order on every platform
];

async function initdb(
  draft: string,
  passwordFile: string,
  program: string,
  account: Account,
  fast: boolean,
): Promise<void> {
  const password = openSync(passwordFile, 'r');
  const child = spawn(program, ['-D', pathInside(account, draft), ...INITDB, ...(fast ? ['--no-sync'] : [])], {
    ...account,
    cwd: draft,
    env: ENVIRONMENT,
    stdio: [password, 'ignore', 'pipe'],
  });
  closeSync(password);
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const failure = await new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? null : complaint.trim() || `exit code ${code}`));
  });
  if (failure)
    throw new Error(
      `The embedded PostgreSQL cannot be set up (${failure}). Set DATABASE_URL to one of your own instead.`,
    );
}
