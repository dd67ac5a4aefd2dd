// `npm run chaos`: kills, stops and cuts off what the service runs on, seed by seed, and counts every cent afterwards.
//   npm run chaos                                        three seeds of two minutes
//   npm run chaos -- --seeds 30 --seconds 120            thirty of them; with --at-once 2 in about an hour
//   npm run chaos -- --seed 17 --topology bull-4         one again
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureRedis } from './redis.mjs';
import { runScript } from './terminal.mjs';

const require = createRequire(import.meta.url);

await runScript(async () => {
  process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
  ensureInstalled();
  ensureBuilt();
  const missing = ensureRedis();
  if (missing) throw new Error(`The seeds on Bull need a Redis: ${missing}.`);
  // Only now: the build has just made it. It starts apps/gateway/testing/main-with-provider and, beside it,
  // apps/gateway-e2e/src/chaos/provider/main.
  const { main } = require('../dist/apps/gateway-e2e/src/chaos/main.js');
  return main(process.argv.slice(2));
});
