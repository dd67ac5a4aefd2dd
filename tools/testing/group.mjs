// Runs a command in a process group of its own, so that whatever it starts can be found again, ended and named.
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithUs } from '../watcher.mjs';

const GRACE_MS = 5000;
const PAUSE_MS = 100;
const running = new Set();
let stopped = false;

export function listenForInterrupts() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      stopped = true;
      for (const group of running) end(group, 'SIGTERM');
    });
}

export function interrupted() {
  return stopped;
}

/** Returns { code, output, left }: `left` are the commands that were still running some seconds after its end. */
export async function runInGroup([command, ...args], { cwd, env = {}, show = false, limitMs }) {
  const stderr = show ? 'inherit' : 'pipe';
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', show ? 'ignore' : 'pipe', stderr],
    detached: true,
  });
  running.add(child.pid);
  if (child.pid) endWithUs(child, -child.pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  const late = setTimeout(() => end(child.pid, 'SIGTERM'), limitMs);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (status, signal) => resolve(status ?? signal));
  });
  clearTimeout(late);
  const left = await endWhatIsLeft(child.pid);
  running.delete(child.pid);
  return { code, output, left };
}

async function endWhatIsLeft(group) {
  for (let waited = 0; waited < GRACE_MS && members(group).length > 0; waited += PAUSE_MS) await pause(PAUSE_MS);
  const left = members(group);
  for (const { pid } of left) end(pid, 'SIGKILL', 1);
  return left.map(({ command }) => command);
}

/** Without ps (a slim image) nothing can be told, and nothing is. */
function members(group) {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,pgid=,stat=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return (stdout ?? '')
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((found) => found && Number(found[2]) === group && !found[3].startsWith('Z'))
    .map((found) => ({ pid: Number(found[1]), command: found[4] }));
}

/** The whole group, or with sign 1 one process. */
function end(pid, signal, sign = -1) {
  try {
    process.kill(sign * pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
