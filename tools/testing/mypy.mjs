// The type checker of Python: the machine's own, or Debian's, unpacked beside the code and not installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const FOLDER = join(ROOT, '.tmp/mypy');
const MODULES = join(FOLDER, 'usr/lib/python3/dist-packages');
const PACKAGES = ['python3-mypy', 'python3-mypy-extensions', 'python3-typing-extensions'];

/** The words that start it; null if there is none, and none is to be had. */
export function mypy() {
  const works = ([program, ...words]) => spawnSync(program, [...words, '--version']).status === 0;
  if (works(['mypy'])) return ['mypy'];
  if (!existsSync(MODULES)) fetchIt();
  const unpacked = ['python3', '/usr/bin/python3'].map((python) => [
    ...['env', `PYTHONPATH=${MODULES}`],
    ...[python, '-m', 'mypy'],
  ]);
  // It is compiled for the Python of Debian, which may not be the first one on the PATH.
  return unpacked.find(works) ?? null;
}

function fetchIt() {
  mkdirSync(FOLDER, { recursive: true });
  spawnSync('apt-get', ['download', ...PACKAGES], { cwd: FOLDER });
  for (const archive of readdirSync(FOLDER).filter((name) => name.endsWith('.deb')))
    spawnSync('dpkg-deb', ['--extract', archive, FOLDER], { cwd: FOLDER });
}
