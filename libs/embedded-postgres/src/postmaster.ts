/** Reads postmaster.pid of a data directory, and checks it against the process that really runs. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { kill, platform } from 'node:process';
import { STARTER_SETTING, whereSetting } from './server-settings';

export interface Postmaster {
  pid: number;
  port: number;
  status: string;
  starter: number;
  starterAlive: boolean;
  /** Asks it to end its connections and stop. */
  interrupt(): void;
}

/** Null when nothing runs; a file left behind by a crash counts as nothing. */
export function readPostmaster(directory: string): Postmaster | null {
  const [pid, , , port, , , , status] = postmasterLines(directory);
  const line = Number(pid) > 0 ? commandLine(Number(pid)) : '';
  if (!line.includes(whereSetting(directory))) return null;
  const starter = Number(new RegExp(`${STARTER_SETTING}=(\\d+)`).exec(line)?.[1]);
  return {
    pid: Number(pid),
    port: Number(port),
    status: status ?? 'starting',
    starter,
    starterAlive: isAlive(starter),
    interrupt: () => void (isAlive(Number(pid)) && kill(Number(pid), 'SIGINT')),
  };
}

/** Of the server that ran last, whether it still does or not. */
export function lastPid(directory: string): number | null {
  return Number(postmasterLines(directory)[0]) || null;
}

/** As a power cut leaves it. PostgreSQL takes it for that of a server that is about to start, and no server would start any more. */
export const isLockEmpty = (directory: string): boolean =>
  statSync(lockOf(directory), { throwIfNoEntry: false })?.size === 0;

export const endEmptyLock = (directory: string): void => rmSync(lockOf(directory), { force: true });

const lockOf = (directory: string): string => join(directory, 'postmaster.pid');

export function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function postmasterLines(directory: string): string[] {
  try {
    return readFileSync(lockOf(directory), 'utf8')
      .split('\n')
      .map((line) => line.trim());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Empty for a process that is gone. A process number alone proves nothing: after a reboot it may be anybody's. */
function commandLine(pid: number): string {
  try {
    if (platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}
