// Compiles apps and libs into dist when any of their files has changed since; a look that finds no change is quick. It is compiled
// beside dist and takes its place when it is whole: a build that fails, or is cut off, leaves the one of before.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inTurn, isOfNobody } from './build-turn.mjs';
import { runScript, say, took } from './terminal.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const STAMP = '.build-stamp';
const LOCK = join(ROOT, '.tmp/build.lock');
/** As deep as dist: the maps to the sources count folders. */
const BESIDE_DIST = '.dist-';
const SOURCES = ['apps', 'libs'];
const ALSO_MATTER = ['.swcrc', 'package-lock.json'];
/** Not for the running service. Other files, such as pages and style sheets, are copied. */
const LEFT_OUT = ['**/*.spec.ts', '**/project.json', '**/jest*.config.js', '**/*.md'];

export function ensureBuilt() {
  if (isBuilt(stampOfSources())) return;
  mkdirSync(dirname(LOCK), { recursive: true });
  inTurn(LOCK, () => {
    const stamp = stampOfSources();
    if (!isBuilt(stamp)) build(stamp);
  });
}

function isBuilt(stamp) {
  const file = join(DIST, STAMP);
  return existsSync(file) && readFileSync(file, 'utf8') === stamp;
}

function build(stamp) {
  const startedAt = performance.now();
  removeLeftOver();
  const place = join(ROOT, `${BESIDE_DIST}${randomUUID()}`);
  try {
    compile(place);
    writeFileSync(join(place, STAMP), stamp);
    putInPlace(place);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  say(`Built. ${took(startedAt)}`);
}

/** Of builds that were cut off. */
function removeLeftOver() {
  const places = readdirSync(ROOT).filter((name) => name.startsWith(BESIDE_DIST));
  for (const place of places.map((name) => join(ROOT, name)))
    if (isOfNobody(place)) rmSync(place, { recursive: true, force: true });
}

/** A folder takes no other one's place: that one goes aside first. */
function putInPlace(place) {
  const before = `${place}-before`;
  if (existsSync(DIST)) renameSync(DIST, before);
  renameSync(place, DIST);
  rmSync(before, { recursive: true, force: true });
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

function compile(place) {
  const swc = join(ROOT, 'node_modules/@swc/cli/bin/swc.js');
  const args = [...SOURCES, '-d', place, '--config-file', '.swcrc', '--copy-files', '--quiet'];
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
