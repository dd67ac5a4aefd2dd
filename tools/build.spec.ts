/** Two who build one checkout at once: one does, the other waits for it. A build that fails leaves the one of before. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const TOOLS = ['build.mjs', 'build-turn.mjs', 'terminal.mjs'];
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', NO_COLOR: '1' };
const SOURCE = 'export const answer: number = 42;\n';

/** A checkout with a file in each of its folders. */
let checkout: string;
let lock: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'payout-gateway-build-'));
  for (const folder of ['tools', 'apps', 'libs/one', '.tmp']) mkdirSync(join(checkout, folder), { recursive: true });
  for (const name of TOOLS) cpSync(join(__dirname, name), join(checkout, 'tools', name));
  for (const name of ['.swcrc', 'package-lock.json']) cpSync(join(ROOT, name), join(checkout, name));
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  writeFileSync(join(checkout, 'apps/main.ts'), SOURCE);
  writeFileSync(join(checkout, 'libs/one/index.ts'), SOURCE);
  lock = join(checkout, '.tmp/build.lock');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

interface Build {
  child: ChildProcess;
  said(): string;
  ended: Promise<unknown[]>;
}

function build(): Build {
  const child = spawn(process.execPath, ['tools/build.mjs'], { cwd: checkout, env: ENVIRONMENT });
  let output = '';
  const collect = (text: Buffer): void => void (output += text.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { child, said: () => output, ended: once(child, 'close') };
}

async function hasSaid({ child, said }: Build, text: string): Promise<void> {
  while (!said().includes(text)) await once(child.stdout as NodeJS.ReadableStream, 'data');
}

const built = (file: string): string => readFileSync(join(checkout, 'dist', file), 'utf8');
const besideDist = (): string[] => readdirSync(checkout).filter((name) => name.startsWith('.dist-'));

test('of two at once one builds, and both end well with all of it there', async () => {
  const builds = [build(), build()];
  const codes = await Promise.all(builds.map(async ({ ended }) => (await ended)[0]));
  expect([codes, builds.map(({ said }) => said())]).toEqual([[0, 0], expect.any(Array)]);
  expect(builds.map(({ said }) => said()).join('')).toMatch(/^[^]*Built\.(?![^]*Built\.)/);
  expect(built('apps/main.js') + built('libs/one/index.js')).toContain('42');
  expect([besideDist(), existsSync(lock)]).toEqual([[], false]);
});

test('whoever waits says so, and does not build what was built meanwhile', async () => {
  const first = build();
  await first.ended;
  const stamp = built('.build-stamp');
  rmSync(join(checkout, 'dist/.build-stamp'));
  writeFileSync(lock, String(process.pid));
  const second = build();
  await hasSaid(second, 'Another build of this checkout is running; waiting');
  writeFileSync(join(checkout, 'dist/.build-stamp'), stamp);
  rmSync(lock);
  expect((await second.ended)[0]).toBe(0);
  expect(second.said()).not.toContain('Built.');
});

test.each(['whose process is gone', 'that is as old as no build'])('a lock %s keeps nobody waiting', async (which) => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(lock, String(which.includes('gone') ? pid : process.pid));
  if (!which.includes('gone')) utimesSync(lock, 0, 0);
  const { ended, said } = build();
  expect([(await ended)[0], said()]).toEqual([0, expect.stringContaining('Built.')]);
});

test('one that fails leaves what was built before, and the next one builds', async () => {
  await build().ended;
  const broken = join(checkout, 'libs/one/broken.ts');
  writeFileSync(broken, 'export const = ;\n');
  const failed = build();
  expect([(await failed.ended)[0], failed.said()]).toEqual([1, expect.stringContaining('The build failed')]);
  expect(built('apps/main.js')).toContain('42');
  expect([besideDist(), existsSync(lock)]).toEqual([[], false]);
  rmSync(broken);
  const mended = build();
  expect((await mended.ended)[0]).toBe(0);
});

test('maps name the sources as seen from dist', async () => {
  await build().ended;
  const { sources } = JSON.parse(built('libs/one/index.js.map')) as { sources: string[] };
  expect(sources).toEqual(['../../../libs/one/index.ts']);
});
