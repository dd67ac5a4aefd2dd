// `npm run histories`: random histories of one payout of each rail, over processes that stand still wherever they like.
//   npm run histories                                      five hundred of each rail, of a seed that it prints
//   npm run histories -- --rail swap_rail --runs 2000      of one rail
//   npm run histories -- --rail swap_rail --seed 7 --path 12:3   one again, as a failure names it
//   npm run histories -- --runs 2000 --count               goes on after one that failed, and counts them
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { runScript, say } from './terminal.mjs';

const OPTIONS = {
  rail: { type: 'string' },
  runs: { type: 'string', default: '500' },
  seed: { type: 'string' },
  path: { type: 'string' },
  count: { type: 'boolean', default: false },
};

await runScript(async () => {
  process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
  ensureInstalled();
  const { rail, runs, seed = String(randomInt(2 ** 31)), path, count } = parseArgs({ options: OPTIONS }).values;
  say(`Seed ${seed}, ${runs} histories of ${rail ?? 'each rail'}.`);
  const which = `${rail?.replaceAll('_', '-') ?? ''}\\.histories\\.spec\\.ts$`;
  const wishes = { HISTORIES_SEED: seed, HISTORIES_RUNS: runs };
  if (path !== undefined) wishes.HISTORIES_PATH = path;
  if (count) wishes.HISTORIES_COUNT = 'yes';
  const { status } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', '--testPathPatterns', which], {
    stdio: 'inherit',
    // Jest need not start a database for them.
    env: { ...process.env, TEST_DATABASE_URL: 'none', ...wishes },
  });
  return status ?? 1;
});
