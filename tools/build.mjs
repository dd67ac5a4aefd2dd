// Compiles apps and libs into dist when any of their files has changed since; a look that finds no change is quick.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runScript, say, took } from './terminal.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.build-stamp');
const SOURCES = ['apps', 'libs'];
const ALSO_MATTER = ['.swcrc', 'package-lock.json'];
/** Not for the running service. Other files, such as pages and style sheets, are copied. */
const LEFT_OUT = ['**/*.spec.ts', '**/project.json', '**/jest*.config.js', '**/*.md'];

export function ensureBuilt() {
  const stamp = stampOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  const startedAt = performance.now();
  rmSync(DIST, { recursive: true, force: true });
  compile();
  writeFileSync(STAMP, stamp);
  say(`Built. ${took(startedAt)}`);
}

function stampOfSources() {
  const hash = createHash('sha256');
  for (const source of SOURCES)
    for (const entry of readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith('.spec.ts')) hash.update(mark(join(entry.parentPath, entry.name)));
  for (const file of ALSO_MATTER) hash.update(mark(join(ROOT, file)));
  return `${hash.digest('hex')}\n`;
}

function mark(path) {
  const { size, mtimeMs } = statSync(path);
  return `${path}\0${size}\0${mtimeMs}\n`;
}

function compile() {
  const swc = join(ROOT, 'node_modules/@swc/cli/bin/swc.js');
  const args = [...SOURCES, '-d', 'dist', '--config-file', '.swcrc', '--copy-files', '--quiet'];
  const ignored = LEFT_OUT.flatMap((pattern) => ['--ignore', pattern]);
  const { status, stdout, stderr } = spawnSync(process.execPath, [swc, ...args, ...ignored], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  throw new Error('The build failed: the compiler names the file above.');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runScript(() => ensureBuilt());
