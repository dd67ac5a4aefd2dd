// One build at a time in one checkout. Who comes second waits, and mostly finds it built.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { say } from './terminal.mjs';

const LOOK_AGAIN_MS = 100;
/** A build takes seconds. Whoever has been at it for so long is gone, and another process has its number. */
const LONGEST_MS = 10 * 60_000;

/** `lock` is a file that is there while somebody is at it, with the number of their process. */
export function inTurn(lock, work) {
  for (let waits = 0; !isTaken(lock); waits += 1) {
    if (isLeftBehind(lock)) rmSync(lock, { force: true });
    else if (waits === 0) say('Another build of this checkout is running; waiting for it …');
    pause();
  }
  try {
    return work();
  } finally {
    if (holderOf(lock) === process.pid) rmSync(lock, { force: true });
  }
}

function isTaken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Of a process that was killed. Should two find that at once both may build: each does so in a place of its own. */
function isLeftBehind(lock) {
  const holder = holderOf(lock);
  return isOfNobody(lock) || (holder !== null && !isAlive(holder));
}

/** Whoever wrote it last cannot be at it any more. */
export function isOfNobody(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > LONGEST_MS;
}

/** null: it is gone, or whoever takes it is just about to write. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8')) || null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whoever builds does nothing else meanwhile. */
function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
}
