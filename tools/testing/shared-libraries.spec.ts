/** Spec files of one worker share their libraries, and the realm of Node. None learns of what another one did there, and none is deaf. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, type Told } from './run';

const ROOT = join(__dirname, '../..');

const LEAVES_MUCH = `
  import { Injectable } from '@nestjs/common';
  jest.setTimeout(1);
  test('leaves', () => {
    Object.assign(globalThis, { left: Injectable });
    process.env.LEFT = 'yes';
    process.on('SIGUSR2', () => undefined);
    jest.spyOn(Math, 'random').mockReturnValue(7);
    jest.useFakeTimers();
  });`;
const FINDS_NOTHING = `
  import { BadRequestException } from '@nestjs/common';
  test('finds', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(['left' in globalThis, process.env.LEFT, process.listenerCount('SIGUSR2')]).toEqual([false, undefined, 0]);
    expect(Math.random()).toBeLessThan(1);
    expect(new BadRequestException()).toBeInstanceOf(Error);
  });`;
const THROWS_LATE = `
  test('throws', () => new Promise((resolve) => {
    setTimeout(() => { throw new Error('late'); });
    setTimeout(resolve, 50);
  }));`;
const REJECTS_UNHEARD = `
  test('rejects', async () => {
    void Promise.reject(new Error('unheard'));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });`;
const MOCKS_A_LIBRARY = `
  jest.mock('uuid', () => ({}));
  test('mocks', () => undefined);`;

describe('spec files of one worker', () => {
  let folder: string;
  beforeEach(() => {
    mkdirSync(join(ROOT, '.tmp'), { recursive: true });
    folder = mkdtempSync(join(ROOT, '.tmp/shared-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** In this order: each is larger than the next, and Jest begins with the largest. */
  const runFiles = (...files: string[]): Promise<Told> => {
    files.forEach((text, index) =>
      writeFileSync(join(folder, `${index}.spec.ts`), text + '\n'.repeat(10_000 * (files.length - index))),
    );
    const preset = JSON.stringify(join(ROOT, 'jest.preset.js'));
    const config = `{ ...require(${preset}), roots: [__dirname], modulePathIgnorePatterns: [], testMatch: ['**/*.spec.ts'] }`;
    writeFileSync(join(folder, 'jest.config.js'), `module.exports = ${config};`);
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    const asked = [jest, '--config', join(folder, 'jest.config.js'), '--runInBand'];
    return run(asked);
  };

  test('find nothing of what another one left', async () => {
    const { code, said } = await runFiles(LEAVES_MUCH, FINDS_NOTHING);
    expect([code, said]).toEqual([0, expect.stringContaining('2 passed, 2 total')]);
  });

  test.each([
    ['throws late', THROWS_LATE, 'late'],
    ['rejects and nobody hears it', REJECTS_UNHEARD, 'unheard'],
    ['mocks a library', MOCKS_A_LIBRARY, 'uuid is shared with other spec files'],
  ])('fail, also the second, if it %s', async (_, file, reason) => {
    const { code, said } = await runFiles(FINDS_NOTHING, file);
    expect([code, said]).toEqual([1, expect.stringContaining(reason)]);
    expect(said).toContain('1 failed, 1 passed, 2 total');
  });
});
