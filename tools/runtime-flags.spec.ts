/** However the service is started, Node is told the same about its memory. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string): string => readFileSync(join(__dirname, '..', path), 'utf8');
const FLAGS = [...read('tools/runtime-flags.mjs').matchAll(/^ +'(--[^']+)',$/gm)].map(([, flag = '']) => flag);

/** Much garbage of which some outlives a look or two, as requests under way do. Says how large what is for new objects became. */
const WORK = `
  const kept = [];
  for (let turn = 0; turn < 3_000_000; turn += 1) kept[turn % 60_000] = { turn, text: 'x' + turn, more: [turn] };
  const { space_size: size } = require('v8').getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  console.log(size / 2 ** 20);`;

describe('what Node is told', () => {
  test('is the same in the image, at the start and in the benches', () => {
    const [, command = ''] = /^CMD (.*)$/m.exec(read('docker/gateway.Dockerfile')) ?? [];
    expect(FLAGS.length).toBeGreaterThan(2);
    expect((JSON.parse(command) as string[]).filter((word) => word.startsWith('--'))).toEqual(FLAGS);
    for (const starter of ['tools/start.mjs', 'tools/bench/gateways.mjs'])
      expect(read(starter)).toContain('...RUNTIME_FLAGS');
  });

  test('keeps what new objects take small', () => {
    const mebibytes = Number(execFileSync(process.execPath, [...FLAGS, '-e', WORK], { encoding: 'utf8' }));
    expect(mebibytes).toBeGreaterThan(0);
    expect(mebibytes).toBeLessThanOrEqual(48);
  });
});
