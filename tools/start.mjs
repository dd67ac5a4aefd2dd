// `npm start`: installs and builds what is missing, then runs the gateway until it is told to stop.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { RUNTIME_FLAGS } from './runtime-flags.mjs';
import { runScript, say } from './terminal.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MAIN = join(ROOT, 'dist/apps/gateway/src/main.js');
const STOP_WITH_STARTER = new URL('./stop-with-starter.mjs', import.meta.url).href;
/** Ctrl-C reaches us twice, from the terminal and from npm; the same signal after this long is meant anew. */
const SAME_SIGNAL_MS = 1000;
const PARENT_LOOK_MS = 1000;
/** A gateway that is alive says a signal back at once; how long it then takes to stop is its own affair. */
const REACTION_MS = 3000;

const HELP = `npm start takes no words: settings come from the environment, as in PORT=3001 npm start.
docs/configuration.md lists them all.`;

await runScript(() => {
  const [word] = process.argv.slice(2);
  if (word === '--help') return say(HELP);
  if (word !== undefined) throw new Error(`There is no '${word}' here.\n${HELP}`);
  ensureInstalled();
  ensureBuilt();
  if (!existsSync(MAIN))
    throw new Error(`${MAIN} is missing though the build went well: is apps/gateway/src/main.ts there?`);
  return runGateway();
});

/** Returns the exit code. In our process group, and tied to us by a pipe, so that it never stays behind. */
function runGateway() {
  const gateway = spawn(process.execPath, [...RUNTIME_FLAGS, '--import', STOP_WITH_STARTER, MAIN], {
    cwd: process.cwd(),
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  const asked = passSignalsOn(gateway);
  stopWhenNpmIsGone();
  return new Promise((resolve, reject) => {
    gateway.on('error', reject);
    gateway.on('exit', (code, signal) => {
      if (asked.size > 0)
        say(`\n  Payout Gateway ${signal === 'SIGKILL' ? 'did not react, and was ended' : 'has stopped'}.`);
      resolve(exitCode(code, signal, asked));
    });
  });
}

function passSignalsOn(gateway) {
  const asked = new Map();
  const pipe = gateway.stdio[3];
  let reacted = false;
  pipe.on('data', () => (reacted = true));
  const endUnlessReacted = () => reacted || gateway.kill('SIGKILL'); // its database goes with it, and recovers
  const pass = (signal) => {
    const before = asked.get(signal);
    asked.set(signal, performance.now());
    if (before === undefined) {
      pipe.write(`${signal}\n`);
      setTimeout(endUnlessReacted, REACTION_MS).unref();
    } else if (performance.now() - before > SAME_SIGNAL_MS) gateway.kill(reacted ? signal : 'SIGKILL');
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
  pipe.on('error', () => undefined); // it ended before it read what we wrote
  return asked;
}

/** npm that is killed outright tells nobody. Its script then gets another parent, and stops as if it had been asked to. */
function stopWhenNpmIsGone() {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.emit('SIGTERM', 'SIGTERM');
  }, PARENT_LOOK_MS).unref();
}

/** Stopped because it was asked to is success, whether it says so by its code or ends by that very signal. */
function exitCode(code, signal, asked) {
  if (asked.size > 0 && (asked.has(signal) || code === 130 || code === 143)) return 0;
  return code ?? 1;
}
