/** A process whose log nobody takes: real ones, for how a process ends is what this is about. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** More than is kept of what nobody takes. */
const SCRIPT = `
  require('@swc-node/register');
  const { log } = require(${JSON.stringify(join(__dirname, 'log.ts'))});
  process.stdout.writable;
  const say = (lines) => {
    for (let n = 0; n < lines; n += 1) log.info({ event: 'spec', n, text: 'x'.repeat(1000) }, 'said');
    process.send('said');
  };
  process.on('message', (asked) => (asked === 'end' ? process.exit(0) : say(asked)));
  process.send('begun');
`;

describe('the log', () => {
  jest.setTimeout(60_000);
  const processes: ChildProcess[] = [];
  afterEach(() => {
    for (const process of processes.splice(0)) process.kill('SIGKILL');
  });

  const start = async (stdout: 'pipe' | number): Promise<ChildProcess> => {
    const started = spawn(process.execPath, ['-e', SCRIPT], { stdio: ['ignore', stdout, 'inherit', 'ipc'] });
    processes.push(started);
    await once(started, 'message');
    return started;
  };
  const say = async (process: ChildProcess, lines: number): Promise<void> => {
    process.send(lines);
    await once(process, 'message');
  };
  const end = async (process: ChildProcess): Promise<unknown> => {
    process.send('end');
    return (await once(process, 'exit'))[0];
  };

  test('whose reader stands still keeps no process from ending', async () => {
    const process = await start('pipe');
    await say(process, 20_000);
    expect(await end(process)).toBe(0);
  });

  test('whose reader stood still says how much of it was lost', async () => {
    const process = await start('pipe');
    await say(process, 20_000);
    const told: { event: string; lines?: number }[] = [];
    for await (const line of createInterface(process.stdout as Readable)) {
      told.push(JSON.parse(line) as { event: string });
      if (told.at(-1)?.event === 'log.lost') break;
    }
    expect(told.at(-1)?.lines).toBe(20_000 - (told.length - 1));
    expect(await end(process)).toBe(0);
  });

  test('whose reader is gone ends no process', async () => {
    const process = await start('pipe');
    process.stdout?.destroy();
    await say(process, 10);
    await say(process, 10);
    expect(await end(process)).toBe(0);
  });

  test('that cannot be written, as on a full disk, ends no process', async () => {
    const process = await start(openSync(__filename, 'r'));
    await say(process, 10);
    await say(process, 10);
    expect(await end(process)).toBe(0);
  });
});
