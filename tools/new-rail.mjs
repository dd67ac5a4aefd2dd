// `npm run new-rail <name>`: a new rail from the templates, on a fresh clone too.
import { spawnSync } from 'node:child_process';
import { ensureInstalled } from './install.mjs';
import { runScript } from './terminal.mjs';

await runScript(() => {
  ensureInstalled();
  const words = ['nx', 'g', './tools/new-rail:new-rail', ...process.argv.slice(2)];
  process.exitCode = spawnSync('npx', words, { stdio: 'inherit' }).status ?? 1;
});
