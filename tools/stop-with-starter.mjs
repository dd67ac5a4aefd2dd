// Loaded into the gateway by start.mjs, which sends the signals it gets down a pipe. Ctrl-C reaches the whole process
// group, so the gateway may have had the very same one already: then it is not sent again, as a second one means hurry.
// Each signal that arrives is said back, so that the starter knows of a process that does not react.
// When the other end of the pipe goes, so did the starter, even by kill -9.
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';

const OWN_SIGNAL_MS = 50;
const had = new Set();
const starter = new Socket({ fd: 3, readable: true, writable: true });

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    had.add(signal);
    starter.write(`${signal}\n`);
    if (process.listenerCount(signal) === 1) process.exit(signal === 'SIGINT' ? 130 : 143); // still starting up
  });

// Two signals that come close together are one piece of the pipe, and two lines.
createInterface({ input: starter }).on('line', (signal) => setTimeout(stopOnce, OWN_SIGNAL_MS, signal));
starter.on('error', () => undefined);
starter.on('close', () => had.size > 0 || stopOnce('SIGTERM'));
starter.unref();

function stopOnce(signal) {
  if (!had.has(signal)) process.kill(process.pid, signal);
}
