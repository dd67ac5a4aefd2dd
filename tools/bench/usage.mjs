// What processes use: memory, and CPU time, as Linux tells. Null elsewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 200;

export const canTell = existsSync('/proc/self/stat');

/** CPU seconds of these processes so far. */
export function cpuOf(pids) {
  return canTell ? pids.reduce((sum, pid) => sum + ownTicks(pid), 0) / TICKS_PER_SECOND : null;
}

/** CPU seconds of a server and all of its children, those that ended included. */
export function cpuOfFamily(parent) {
  if (!canTell) return null;
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)?.parent === parent);
  const waitedFor = statOf(parent)?.childTicks ?? 0;
  return waitedFor / TICKS_PER_SECOND + cpuOf([parent, ...children.map(Number)]);
}

/** Watches a process during some work; returns what came of that, and the most memory the process had, in MiB. */
export async function watchingMemory(pid, work) {
  let most = 0;
  const look = () => (most = Math.max(most, residentMiB(pid)));
  const timer = setInterval(look, SAMPLE_MS);
  try {
    const result = await work();
    look();
    return { result, memory: canTell ? most : null };
  } finally {
    clearInterval(timer);
  }
}

export function residentMiB(pid) {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readOrNothing(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) / 1024;
}

const ownTicks = (pid) => statOf(pid)?.ticks ?? 0;

/** The fields after the program's name, which may hold anything. */
function statOf(pid) {
  const text = readOrNothing(`/proc/${pid}/stat`);
  if (!text) return null;
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1], ticks: fields[11] + fields[12], childTicks: fields[13] + fields[14] };
}

function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it ended
  }
}
