/** Files that a power cut leaves as they were or as they are to be: what is written is on disk before it has its name. */
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { platform } from 'node:process';

/** A file, or the names in a directory. Windows keeps those by itself, and lets nobody open a directory. */
export function syncToDisk(path: string, isDirectory = false): void {
  if (isDirectory && platform === 'win32') return;
  const handle = openSync(path, isDirectory ? 'r' : 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Of several processes that do this at once one does, for a link is made once. For its owner only. The draft is this call's alone: in
 * containers all processes have one pid.
 */
export function writeIfNone(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  chmodSync(draft, 0o600);
  syncToDisk(draft);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncToDisk(dirname(file), true);
}

/** In the place of what is there; several processes agree on one text. `isDone`: another one was quicker. */
export function replace(file: string, text: string, isDone: () => boolean): void {
  const anew = `${file}.anew`;
  writeIfNone(anew, text);
  if (isDone()) return rmSync(anew, { force: true });
  try {
    renameSync(anew, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  syncToDisk(dirname(file), true);
}
