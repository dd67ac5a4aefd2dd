// Programs that a bench starts: out of reach of the terminal's Ctrl-C, so that they are stopped in order, and gone when
// the bench is gone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endWithUs } from '../watcher.mjs';

const OUTPUT_MOST = 200_000;

export function startChild(stage, [command, ...args], { cwd, env } = {}) {
  const process_ = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const child = { process: process_, output: '', ended: ending(process_), stop: null };
  if (process_.pid) endWithUs(process_, process_.pid);
  for (const stream of [process_.stdout, process_.stderr])
    stream.on('data', (text) => (child.output = (child.output + text).slice(-OUTPUT_MOST)));
  child.stop = stage.atTheEnd(async () => {
    process_.kill('SIGTERM');
    await child.ended;
  });
  return child;
}

/** Runs a program to its end and answers what it said. */
export async function runChild(stage, command, options = {}) {
  const child = startChild(stage, command, options);
  const code = await child.ended;
  await child.stop();
  if (code === 0) return child.output;
  throw new Error(`${command[0]} ended with ${code}:\n${child.output.trim()}`);
}

/** Settles with the exit code, the signal or the reason it never ran. All of its output was read by then. */
async function ending(child) {
  const failed = once(child, 'error').then(([error]) => error.message);
  return Promise.race([failed, once(child, 'close').then(([code, signal]) => code ?? signal)]);
}
