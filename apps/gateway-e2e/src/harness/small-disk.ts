/** A disk that is soon full: a mount of its own in memory, if this machine lets us make one. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  directory: string;
  /** Takes what is left of it. */
  fill(): void;
  free(): void;
  remove(): void;
}

/** null if nothing may be mounted. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const place = mkdtempSync(join(tmpdir(), 'gw-small-disk-'));
  if (!asRoot('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', place)) {
    rmSync(place, { recursive: true });
    return null;
  }
  const directory = join(place, 'data');
  mkdirSync(directory);
  const filler = join(place, 'filler');
  return {
    directory,
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      asRoot('umount', '--lazy', place);
      rmSync(place, { recursive: true, force: true });
    },
  };
}

function asRoot(...command: string[]): boolean {
  const [program, ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  return spawnSync(program as string, args, { stdio: 'ignore' }).status === 0;
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const chunk of [Buffer.alloc(1 << 20), Buffer.alloc(1 << 12)])
      for (let written = true; written;) written = wrote(file, chunk);
  } finally {
    closeSync(file);
  }
}

function wrote(file: number, chunk: Buffer): boolean {
  try {
    return writeSync(file, chunk) === chunk.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
