/** What the generator writes is a rail already: it is written to a folder of its own, and run there. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing';
import { run, type Told } from '../testing/run';
import { writeRail } from './write-rail';

const ROOT = join(__dirname, '../..');
const LIST = 'apps/gateway/src/rails.ts';
const TIMEOUT_MS = 120_000;

/** As its generator writes it, or with a mistake of whoever goes on. */
const RAILS: Record<string, (text: string) => string> = {
  zebra: (text) => text,
  yak: (text) => text.replaceAll('key: payment.reference,', ''),
  gnu: (text) => text.replace('keyRetentionSeconds: 86_400', 'keyRetentionSeconds: 864_000'),
};

let folder: string;
/** Beside the first suite: it takes as long. */
let types: Promise<Told>;

beforeAll(() => {
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  // Below the workspace, so that it finds the kit; where neither Git nor the other tests look.
  folder = mkdtempSync(join(ROOT, '.tmp/new-rail-'));
  for (const [name, changed] of Object.entries(RAILS)) writeOut(name, changed);
  write('jest.config.js', jestConfig());
  write('tsconfig.json', tsConfig());
  types = run([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a rail as it is written', () => {
  it(
    'passes its own suite',
    async () => {
      const { code, said } = await runSuite('zebra');
      expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
      expect(said).toMatch(/Tests: .* [1-9][0-9]+ passed/);
    },
    TIMEOUT_MS,
  );

  it(
    'has types that agree',
    async () => {
      expect(await types).toEqual({ code: 0, said: '' });
    },
    TIMEOUT_MS,
  );

  it(
    'talks to a provider that knows a payment by its key alone, and a key for as long as the traits say',
    async () => {
      const { said } = await runSuite('(yak|gnu)', '--testNamePattern', 'same railKey twice|honours a code');
      expect(said).toContain('rail yak: conformance › the same railKey twice is one movement');
      expect(said).toContain('rail gnu: conformance › honours a code until the end of its retention');
      expect(said).not.toContain('rail gnu: conformance › the same railKey twice is one movement');
    },
    TIMEOUT_MS,
  );
});

function writeOut(name: string, changed: (text: string) => string): void {
  const tree = createTreeWithEmptyWorkspace();
  tree.write(LIST, readFileSync(join(ROOT, LIST), 'utf8'));
  writeRail(tree, name);
  const written = tree.listChanges().filter(({ path }) => path.startsWith(`libs/rails/${name}/`));
  const texts = written.map(({ path, content }) => [path, String(content)] as const);
  for (const [path, text] of texts) write(path, changed(text));
  const isChanged = texts.some(([, text]) => changed(text) !== text);
  if (name !== 'zebra' && !isChanged) throw new Error(`The template no longer has the line that ${name} gets wrong.`);
}

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function runSuite(rails: string, ...more: string[]): Promise<Told> {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  return run([jest, '--config', join(folder, 'jest.config.js'), '--runInBand', `libs/rails/${rails}/`, ...more]);
}

/** As for every spec, but for where they are; what it tests needs no database. */
function jestConfig(): string {
  const preset = JSON.stringify(join(ROOT, 'jest.preset.js'));
  const roots = JSON.stringify([folder]);
  return `module.exports = { ...require(${preset}), roots: ${roots}, modulePathIgnorePatterns: [], testMatch: ['**/*.spec.ts'] };\n`;
}

function tsConfig(): string {
  const config = { extends: relative(folder, join(ROOT, 'tsconfig.json')), include: ['libs/rails/zebra/**/*.ts'] };
  return JSON.stringify({ ...config, compilerOptions: { noEmit: true, incremental: false } });
}
