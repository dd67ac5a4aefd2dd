// `npm run pack:python`: the Python client as a wheel that pip installs anywhere. With a folder: it is written there.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runScript, say } from '../terminal.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

await runScript(() => {
  const [folder = join(ROOT, 'packages'), ...rest] = process.argv.slice(2);
  if (rest.length > 0 || folder.startsWith('-')) throw new Error('npm run pack:python takes a folder, at most.');
  mkdirSync(folder, { recursive: true });
  const backend = join(ROOT, 'clients/python/backend/build_wheel.py');
  const { status, error, stdout, stderr } = spawnSync('python3', ['-B', backend, resolve(folder)], {
    encoding: 'utf8',
  });
  if (error) throw new Error(`There is no python3 on this machine (${error.code}), and it makes the wheel.`);
  if (status !== 0) throw new Error(`The wheel was not made: ${stderr.trim()}`);
  say(join(resolve(folder), stdout.trim()));
});
