// Before anything else: is Node new enough, and do node_modules belong to this package-lock.json?
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say, took } from './terminal.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LOCK = join(ROOT, 'package-lock.json');
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json'); // npm's own account of what it installed
const STAMP = join(ROOT, 'node_modules/.payout-gateway-install');

export function ensureInstalled() {
  refuseOldNode();
  const stamp = `${createHash('sha256').update(readFileSync(LOCK)).digest('hex')} ${process.platform} ${process.arch}\n`;
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  if (existsSync(STAMP) || !installedByHand()) install();
  writeFileSync(STAMP, stamp);
}

/** Nest is loaded by require() of an ES module: Node 20.19 was the first to do that without a flag, then 22.12. */
function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  throw new Error(
    `Node ${process.versions.node} is too old: install Node 20.19 or newer, 22.12 or newer on the 22 line.`,
  );
}

/** Somebody ran npm before us: every package of the lock is there, in that version, or is for another platform. */
function installedByHand() {
  if (!existsSync(INSTALLED)) return false;
  const installed = JSON.parse(readFileSync(INSTALLED, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(LOCK, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional }]) =>
    path === '' ? true : installed[path] ? installed[path].version === version : optional === true,
  );
}

function install() {
  const startedAt = performance.now();
  say('Installing the dependencies with npm ci; the first time takes about a minute …');
  const [command, ...args] = npm();
  const { status, error, stdout, stderr } = spawnSync(
    command,
    [...args, 'ci', '--include=dev', '--no-audit', '--no-fund'],
    { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
    throw new Error(
      `npm ci failed (${error?.message ?? `exit code ${status}`}). Mend what it says above, then start again.`,
    );
  }
  say(`Installed. ${took(startedAt)}`);
}

/** The npm that runs this script, if it is npm: it need not be the one on the PATH. */
export function npm() {
  const path = process.env.npm_execpath ?? '';
  return path.endsWith('npm-cli.js') ? [process.execPath, path] : ['npm'];
}
