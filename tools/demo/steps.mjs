// How a demo tells what it does: numbered steps, each with what it called and how long that took.
import { setTimeout as pause } from 'node:timers/promises';
import { bold, dim, say } from '../terminal.mjs';

const WAITS_MS = 60_000;
const PAUSE_MS = 100;

let steps = 0;

export function step(title, call, ms) {
  steps += 1;
  const told = [call, ms === null ? null : `${Math.round(ms)} ms`].filter(Boolean).join(', ');
  say(`\n  ${bold(steps)}  ${bold(title)}  ${dim(told)}`);
}

export function detail(name, value) {
  say(`     ${dim(name.padEnd(8))} ${value}`);
}

export async function timed(work) {
  const startedAt = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - startedAt };
}

/** What is asked for, as soon as it is there. */
export async function until(what, ask) {
  const deadline = performance.now() + WAITS_MS;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`Waited a minute for ${what}, in vain.`);
    await pause(PAUSE_MS);
  }
}
