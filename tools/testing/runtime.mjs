// The Node that tests and benches run the gateway on: this one, one of TEST_RUNTIME, or a line fetched from the npm registry.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../install.mjs';
import { say, yellow } from '../terminal.mjs';

const CACHE = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules/.cache/runtimes');

/** The program, for TEST_RUNTIME; undefined: this Node does. If the line cannot be had, that is said, and this one runs. */
export function runtimeOf(line) {
  if (!line || process.env.TEST_RUNTIME || Number(process.versions.node.split('.')[0]) >= line) return undefined;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const directory = join(CACHE, String(line));
  const program = join(directory, 'node_modules', name, 'bin', 'node');
  if (!existsSync(program)) fetch(name, line, directory);
  if (existsSync(program)) return program;
  say(yellow(`Node ${line} could not be fetched (${name}): the gateway runs on ${process.version}.`));
  return undefined;
}

function fetch(name, line, directory) {
  say(`Fetching Node ${line} …`);
  mkdirSync(directory, { recursive: true });
  const [command, ...args] = npm();
  const what = ['install', '--prefix', directory, '--no-save', '--no-audit', '--no-fund', `${name}@${line}`];
  spawnSync(command, [...args, ...what], { cwd: directory, stdio: 'ignore' });
}
