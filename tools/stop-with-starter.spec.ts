/** A gateway under `npm start` gets each signal that its starter hands on, however they arrive. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Readable, Writable } from 'node:stream';

const LOADED = pathToFileURL(join(__dirname, 'stop-with-starter.mjs')).href;
const GATEWAY = `
  const had = [];
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => had.push(signal) === 2 && (console.log(had.sort().join()), process.exit(0)));
  setInterval(() => undefined, 1_000);
  console.log('ready');`;

test.each([[['SIGINT\nSIGTERM\n']], [['SIGINT\n', 'SIGTERM\n']]])('signals that come as %j are two', async (pieces) => {
  const gateway = spawn(process.execPath, ['--import', LOADED, '-e', GATEWAY], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [out, errors] = [gateway.stdout as Readable, gateway.stderr as Readable];
  let said = '';
  const ready = once(out, 'data');
  out.on('data', (text: Buffer) => (said += text.toString()));
  errors.on('data', (text: Buffer) => (said += text.toString()));
  await ready;
  const pipe = gateway.stdio[3] as Writable;
  pipe.on('error', () => undefined);
  for (const piece of pieces) pipe.write(piece);
  const [code] = (await once(gateway, 'close')) as [number];
  expect([said, code]).toEqual(['ready\nSIGINT,SIGTERM\n', 0]);
});
