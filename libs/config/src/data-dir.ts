/** DATA_DIR, made if it is missing; one that cannot be used stops the start with a line that names it. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export class ConfigError extends Error {}

export function ensureDataDir(directory: string): void {
  try {
    makeDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(directory, error as NodeJS.ErrnoException);
  }
}

export function unusable(path: string, error: NodeJS.ErrnoException): ConfigError {
  const what = error.code ?? error.message;
  return new ConfigError(`DATA_DIR must be a directory that this user can read and write: ${what} at ${path}.`);
}

/** One level after the other: Node's own recursive mkdir never ends where a file system makes no directories, as /proc. */
function makeDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(directory) !== directory) makeDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process may have made it just now; anything else that stands there is no directory.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
