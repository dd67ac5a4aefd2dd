/** What the generator writes is a rail already: it is written to a folder of its own, and run there. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing';
import { writeRail } from './write-rail';

const ROOT = join(__dirname, '../..');
const LIST = 'apps/gateway/src/rails.ts';
const TIMEOUT_MS = 120_000;

let folder: string;

beforeAll(() => {
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  // Below the workspace, so that it finds the kit; where neither Git nor the other tests look.
  folder = mkdtempSync(join(ROOT, '.tmp/new-rail-'));
  const tree = createTreeWithEmptyWorkspace();
  tree.write(LIST, readFileSync(join(ROOT, LIST), 'utf8'));
  writeRail(tree, 'zebra');
  for (const { path, content } of tree.listChanges().filter(({ path }) => path.startsWith('libs/rails/zebra/')))
    write(path, String(content));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a rail as it is written', () => {
  it(
    'passes its own suite',
    async () => {
      write('jest.config.js', jestConfig());
      const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
      const { code, said } = await run([jest, '--config', join(folder, 'jest.config.js'), '--runInBand']);
      expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
      expect(said).toMatch(/Tests: .* [1-9][0-9]+ passed/);
    },
    TIMEOUT_MS,
  );

  it(
    'has types that agree',
    async () => {
      write('tsconfig.json', tsConfig());
      expect(await run([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder])).toEqual({ code: 0, said: '' });
    },
    TIMEOUT_MS,
  );
});

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** As for every spec, but for where they are; what it tests needs no database. */
function jestConfig(): string {
  const preset = JSON.stringify(join(ROOT, 'jest.preset.js'));
  const roots = JSON.stringify([folder]);
  return `module.exports = { ...require(${preset}), roots: ${roots}, modulePathIgnorePatterns: [], testMatch: ['**/*.spec.ts'] };\n`;
}

function tsConfig(): string {
  const config = { extends: relative(folder, join(ROOT, 'tsconfig.json')), include: ['libs/**/*.ts'] };
  return JSON.stringify({ ...config, compilerOptions: { noEmit: true, incremental: false } });
}

function run(args: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, said }));
  });
}
