// The tool that judges rules of Prometheus: the machine's own, or Debian's, unpacked beside the code and not installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const FOLDER = join(ROOT, '.tmp/promtool');
const PROGRAM = join(FOLDER, 'usr/bin/promtool');

/** Its path; null if there is none, and none is to be had. */
export function promtool() {
  const own = spawnSync('promtool', ['--version']);
  if (own.status === 0) return 'promtool';
  if (!existsSync(PROGRAM)) fetchIt();
  return existsSync(PROGRAM) ? PROGRAM : null;
}

function fetchIt() {
  mkdirSync(FOLDER, { recursive: true });
  spawnSync('apt-get', ['download', 'prometheus'], { cwd: FOLDER });
  const [archive] = readdirSync(FOLDER).filter((name) => name.endsWith('.deb'));
  if (archive) spawnSync('dpkg-deb', ['--extract', archive, FOLDER], { cwd: FOLDER });
}
