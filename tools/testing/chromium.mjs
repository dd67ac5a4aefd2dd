// The browser that drives the pages of payees: whichever Chromium is there, else Debian's.
import { spawnSync } from 'node:child_process';
import { say } from '../terminal.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Returns { chromium: its program } or, if there is none to be had, { missing: why }. */
export function findChromium() {
  const there = program();
  if (there) return { chromium: there };
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
    return { missing: 'Chromium is not installed, and installing it needs root and apt-get' };
  say('Installing Chromium with apt-get …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const fonts = ['fonts-noto-core', 'fonts-noto-cjk'];
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  for (const names of [['chromium'], fonts])
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env, stdio: 'ignore' });
  const installed = program();
  return installed
    ? { chromium: installed }
    : { missing: 'Chromium is not installed, and apt-get could not install it' };
}

function program() {
  for (const name of NAMES) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return null;
}
