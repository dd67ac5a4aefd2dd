// `npm run sandbox`: the providers of the rails, simulated on this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runScript } from './terminal.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MAIN = join(ROOT, 'dist/apps/rail-sandbox/src/main.js');

await runScript(async () => {
  if (process.env.NODE_ENV === 'production')
    throw new Error('NODE_ENV is production: the sandbox pays nobody, and runs beside no service that does.');
  ensureInstalled();
  ensureBuilt();
  const sandbox = spawn(process.execPath, ['--enable-source-maps', MAIN, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => sandbox.kill(signal));
  const [code] = await once(sandbox, 'exit');
  return code ?? 0;
});
