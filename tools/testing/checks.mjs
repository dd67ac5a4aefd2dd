// The checks that run no code of ours: types, and the lint rules with the borders between the libraries.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { green, red, say, took } from '../terminal.mjs';
import { runInGroup } from './group.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const LIMIT_MS = 10 * 60_000;

export function typeCheck(tally) {
  return check(tally, 'type check', ['typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit']);
}

/** Through Nx, which knows the projects; without its daemon, which would stay behind. */
export function lint(tally) {
  return check(tally, 'lint', ['nx/dist/bin/nx.js', 'run-many', '-t', 'lint', '--outputStyle=static']);
}

async function check(tally, name, [script, ...args]) {
  const startedAt = performance.now();
  const { code, output } = await runInGroup([process.execPath, join(ROOT, 'node_modules', script), ...args], {
    cwd: ROOT,
    env: { NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
    limitMs: LIMIT_MS,
  });
  const passed = code === 0;
  if (!passed) process.stderr.write(`${output.trimEnd()}\n`);
  say(`${passed ? green('✓') : red('✗')} ${name}  ${took(startedAt)}`);
  tally.add(name, passed ? 1 : 0, passed ? [] : ['see its output above'], took(startedAt));
}
