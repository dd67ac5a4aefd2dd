// Programs that measure: wrk and pgbench, from the machine or, if that is root's Debian, from its packages.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../terminal.mjs';

const VERSIONS = '/usr/lib/postgresql';
const mayInstall = () => process.getuid?.() === 0 && runs('apt-get', ['--version']);

/** Null: not to be had. */
export function wrkProgram() {
  if (!onPath('wrk') && mayInstall()) {
    say('Installing wrk with apt-get …');
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', 'wrk');
  }
  return onPath('wrk') ? 'wrk' : null;
}

/** Null: not to be had. */
export function pgbenchProgram(directory) {
  const found = installedPgbench();
  if (found) return found;
  return mayInstall() ? unpackedPgbench(directory) : null;
}

/** The newest. Debian's /usr/bin/pgbench is a script that asks for a cluster of its own, so it comes last. */
function installedPgbench() {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const programs = versions.map((version) => join(VERSIONS, version, 'bin/pgbench'));
  return programs.find((program) => existsSync(program)) ?? (onPath('pgbench') ? 'pgbench' : null);
}

/** Its package is that of a whole server, which would start at once: so it is only unpacked, next to the bench's data. */
function unpackedPgbench(directory) {
  say('Fetching pgbench with apt-get …');
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'libpq5');
  const { stdout } = spawnSync('apt-cache', ['depends', 'postgresql'], { encoding: 'utf8' });
  const server = /Depends: (postgresql-\d+)/.exec(stdout ?? '')?.[1];
  if (!server) return null;
  const target = join(directory, 'pgbench');
  mkdirSync(target);
  spawnSync('apt-get', ['download', '-qq', server], { cwd: target, stdio: 'ignore' });
  const archive = readdirSync(target).find((name) => name.endsWith('.deb'));
  if (archive) spawnSync('dpkg-deb', ['-x', archive, '.'], { cwd: target, stdio: 'ignore' });
  const program = join(target, VERSIONS, server.replace('postgresql-', ''), 'bin/pgbench');
  return runs(program, ['--version']) ? program : null;
}

function apt(...args) {
  spawnSync('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'ignore' });
}

function onPath(name) {
  return (process.env.PATH ?? '').split(':').some((directory) => directory && existsSync(join(directory, name)));
}

function runs(program, args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
