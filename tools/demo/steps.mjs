// How a demo tells what it does: numbered steps, each with what it called and how long that took.
import { bold, dim, say } from '../terminal.mjs';

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
