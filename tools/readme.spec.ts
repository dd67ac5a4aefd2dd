/** What the README tells a newcomer to type, typed: start, the calls by curl, the demo, gw, and the end. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const dataDir = mkdtempSync(join(tmpdir(), 'readme-'));

let starter: ChildProcess;
let output = '';
let environment: NodeJS.ProcessEnv;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

function until(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => void (output.includes(text) && resolve());
    starter.stdout?.on('data', look);
    starter.once('exit', () => reject(new Error(`It ended before it said '${text}':\n${output}`)));
  });
}

const shown = (name: string): string => new RegExp(`${name} +(\\S.*)`).exec(output)?.[1] ?? '';
const run = (...words: string[]): string =>
  execFileSync(process.execPath, words, { cwd: ROOT, env: environment, encoding: 'utf8' });

jest.setTimeout(120_000);

beforeAll(async () => {
  // What the tests themselves run in, such as NODE_ENV, is no newcomer's.
  environment = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    NO_COLOR: '1',
  };
  starter = spawn(process.execPath, ['tools/start.mjs'], { cwd: ROOT, env: environment });
  const collect = (text: Buffer): void => void (output += text.toString());
  starter.stdout?.on('data', collect);
  starter.stderr?.on('data', collect);
  await until('Stop with Ctrl-C.');
});

afterAll(() => {
  starter.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const hasPrograms = ['bash', 'curl', 'openssl'].every((name) => !spawnSync(name, ['--version']).error);
if (hasPrograms)
  test('the calls by curl work when they are pasted at once', () => {
    const [snippet = ''] = /(?<=```sh\n)export GATEWAY_KEY=[\s\S]*?(?=```)/.exec(README) ?? [];
    const script = snippet
      .replace('gw_test_…', shown('API key'))
      .replace('whsec_…', shown('signing secret'))
      .replace(/^/, `GATEWAY_URL=${shown('address')}\n`);
    const answers = execFileSync('bash', ['-c', script], { cwd: dataDir, encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: string; status?: string; data?: unknown[] });
    const [, first, again, payouts] = answers;
    expect([first?.status, again?.status, again?.id]).toEqual(['paid', 'paid', first?.id]);
    expect(payouts?.data).toHaveLength(1);
  });

test('the start screen says how the demo finds the service, and it does', () => {
  expect(output).toContain(`PORT=${environment['PORT']} DATA_DIR=${dataDir} npm run demo`);
  const shownByDemo = run('tools/demo.mjs');
  expect(shownByDemo).toContain('nothing is paid twice');
  for (const page of ['/portal/open/', '/claim/', '/onboarding/', '/dev/mailbox']) expect(shownByDemo).toContain(page);
});

test('the demo and gw end quietly when nobody reads on', () => {
  for (const script of ['tools/demo.mjs', 'tools/gw.mjs help']) {
    const command = `'${process.execPath}' ${script} | head -n 1`;
    const { stderr } = spawnSync('sh', ['-c', command], { cwd: ROOT, env: environment, encoding: 'utf8' });
    expect(stderr).toBe('');
  }
});

test('gw takes the client by its name', () => {
  run('tools/gw.mjs', 'clients', 'create', '--name', 'Example Studio', '--test');
  expect(run('tools/gw.mjs', 'keys', 'rotate', 'Example Studio', '--overlap', '3600')).toMatch(/API key +gw_test_/);
});

test('it says that it has stopped', async () => {
  const gone = once(starter, 'exit');
  starter.kill('SIGINT');
  expect((await gone)[0]).toBe(0);
  expect(output).toMatch(/Payout Gateway has stopped\.\n$/);
});

test('after that, a wrong master key is told in one line and nothing else', () => {
  const other = { ...environment, MASTER_KEY: 'ab'.repeat(32) };
  const { stdout, stderr } = spawnSync(process.execPath, ['tools/start.mjs'], {
    cwd: ROOT,
    env: other,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^payout gateway: .*Add that key to MASTER_KEY\.\n$/);
});
