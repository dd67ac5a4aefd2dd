/** Both clients as a caller gets them: packed, installed in an empty folder, type-checked, and run against a gateway. */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_PYTHON, whyNoPython } from './python';
import { TurningAway } from './turning-away';

const ROOT = join(__dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const STRICTLY = [
  ...['--ignoreConfig', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'],
  ...['--target', 'es2022', '--module', 'nodenext', '--types', 'node'],
  ...['--typeRoots', join(ROOT, 'node_modules/@types')],
];
const EXAMPLE = join(ROOT, 'clients/typescript/examples/integration.ts');
/** What the program of the guide says, whichever client it is written for. */
const SAYS = [
  'webhooks arrive',
  /^page: http\S+\/onboarding\/\S+$/,
  'payout paid; sent again it is the same',
  /^listed: [0-9a-f-]{36} paid 12500$/,
  'owed 1250; withdrawn 1 rows, 1250 cents',
  'refused: currency must be an ISO 4217 code in upper case',
  'refused: nothing_to_withdraw',
  'failed and retryable; retried, it is paid',
  'submitted; an hour later it is paid',
  'done',
];
const EVENTS = ['requested', 'authorized', 'submitted', 'paid'].map((word) => `  event: payout ${word}, 12500 cents`);

/** Each of its last three lines is a mistake. */
const WRONG = `import { GatewayClient } from 'payout-gateway-client';
const gateway = new GatewayClient({ baseUrl: 'http://localhost', apiKey: 'k', signingSecret: 's' });
void gateway.payouts.create({ payeeId: 'p', amountCents: 1, currency: 'USD' });
void gateway.payouts.page({ status: 'sent' });
void gateway.payees.upsert({ externalId: 'c', e_mail: 'a@b.de' });
`;

/** A switch over what a webhook brings is narrowed by type, also where it comes to what is not there yet. */
const EVENTS_TYPED = `import type { GatewayEvent, PingEvent, UnknownEvent } from 'payout-gateway-client';
const never = (nothing: never): never => nothing;
export function said(event: GatewayEvent): string {
  switch (event.type) {
    case 'payout.status': return event.status + event.amountCents.toFixed();
    case 'payee.updated': return event.kycStatus;
    case 'ping': { const ping: PingEvent = event; return ping.eventId; }
    default: { const unknown: UnknownEvent = event; const word: string = event.type; return word + unknown.eventId; }
  }
}
export const ofAll = (event: GatewayEvent): string => event.eventId + event.occurredAt + event.sequence.toFixed();
export function forgetful(event: GatewayEvent): string {
  if (event.type === 'payout.status' || event.type === 'payee.updated' || event.type === 'ping') return event.eventId;
  return never(event);
}
`;

const folder = mkdtempSync(join(tmpdir(), 'payout-gateway-clients-'));
let gateway: ChildProcess;
let environment: Record<string, string>;
let proxy: TurningAway;

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return String(port);
}

beforeAll(async () => {
  // What the tests themselves run in, such as NODE_ENV, is no newcomer's.
  const path = '/usr/local/bin:/usr/bin:/bin';
  environment = { PATH: path, DATA_DIR: join(folder, 'data'), PORT: await freePort(), NO_COLOR: '1' };
  gateway = spawn(process.execPath, ['tools/start.mjs'], { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 2] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    gateway.stdout?.on('data', (text: Buffer) => {
      output += text.toString();
      if (output.includes('Stop with Ctrl-C.')) resolve();
    });
    gateway.once('exit', () => reject(new Error(`It ended before it was ready:\n${output}`)));
  });
});
beforeEach(async () => {
  proxy = await TurningAway.start(`http://127.0.0.1:${environment['PORT']}`);
});
afterEach(() => proxy.stop());
afterAll(async () => {
  const gone = once(gateway, 'exit');
  gateway.kill('SIGTERM');
  await gone;
  rmSync(folder, { recursive: true });
});

/** A client of its own, as an operator makes it, and its program's surroundings. */
async function callersEnvironment(): Promise<Record<string, string>> {
  const port = await freePort();
  const words = ['--name', port, '--test', '--webhook-url', `http://127.0.0.1:${port}/hooks`, '--json'];
  const made = execFileSync(process.execPath, ['tools/gw.mjs', 'clients', 'create', ...words], {
    ...{ cwd: ROOT, env: environment, encoding: 'utf8' },
  });
  const { apiKey, signingSecret } = JSON.parse(made) as { apiKey: string; signingSecret: string };
  return {
    ...{ GATEWAY_URL: proxy.url, WEBHOOK_PORT: port, PYTHONUNBUFFERED: '1' },
    ...{ GATEWAY_KEY: apiKey, GATEWAY_SECRET: signingSecret },
  };
}

/** Beside the proxy, which runs in this process. `added` comes to what these tests run in. */
interface Printed {
  stdout: string;
  stderr: string;
}

function run(command: string, given: string[], added: Record<string, string>, cwd: string): Promise<Printed> {
  const words = [...Object.entries(added).map(([name, value]) => `${name}=${value}`), command, ...given];
  return new Promise((resolve, reject) => {
    execFile('env', words, { cwd, encoding: 'utf8', timeout: 110_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command} ${given.join(' ')} failed:\n${stdout}${stderr}`));
      else resolve({ stdout, stderr });
    });
  });
}

async function expectTheMainWay(
  command: string,
  words: string[],
  cwd: string,
  more: Record<string, string> = {},
): Promise<void> {
  const { stdout, stderr } = await run(command, words, { ...(await callersEnvironment()), ...more }, cwd);
  const lines = `${stdout}${stderr}`.trimEnd().split('\n');
  const said = stdout
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('  event:'));
  expect(said).toEqual(SAYS.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))));
  expect(lines.filter((line) => EVENTS.includes(line))).toEqual(EVENTS);
  expect(proxy.turnedAway).toBe(proxy.refusals);
}

describe('the TypeScript client', () => {
  const empty = join(folder, 'typescript');
  let complaints: string;

  beforeAll(() => {
    mkdirSync(empty);
    const node = (words: string[]): string => execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
    const tarball = node(['tools/clients/pack-typescript.mjs', folder]).trim();
    writeFileSync(join(empty, 'package.json'), '{ "private": true }');
    const words = ['install', '--offline', '--no-audit', '--no-fund', tarball];
    execFileSync('npm', words, { cwd: empty, stdio: 'pipe' });
    for (const extension of ['mts', 'cts']) cpSync(EXAMPLE, join(empty, `integration.${extension}`));
    writeFileSync(join(empty, 'wrong.mts'), WRONG);
    writeFileSync(join(empty, 'events.mts'), EVENTS_TYPED);
    const programs = ['integration.mts', 'integration.cts', 'events.mts', 'wrong.mts'];
    const typed = spawnSync(process.execPath, [TSC, ...STRICTLY, ...programs], { cwd: empty, encoding: 'utf8' });
    complaints = typed.stdout;
  });

  test.each(['integration.mjs', 'integration.cjs'])('pays, from an installed package: %s', async (program) => {
    await expectTheMainWay(process.execPath, [program], empty);
  });

  test('brings nothing along, and is one and the same for import and require', () => {
    expect(readdirSync(join(empty, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'payout-gateway-client',
    ]);
    const program = `
      import * as imported from 'payout-gateway-client';
      import { createRequire } from 'node:module';
      const required = createRequire(import.meta.url)('payout-gateway-client');
      const names = Object.keys(required).sort();
      const same = names.every((name) => imported[name] === required[name]);
      console.log(same && names.join() === Object.keys(imported).sort().join() && names.length > 10);`;
    const words = ['--input-type=module', '-e', program];
    expect(execFileSync(process.execPath, words, { cwd: empty, encoding: 'utf8' })).toBe('true\n');
  });

  test('has types that fit the program of the guide, and refuse what the gateway would refuse', () => {
    expect(complaints.match(/\w+\.[mc]ts\(\d+/g)).toEqual([
      'events.mts(14', // events of a type to come are there, and were forgotten
      ...['wrong.mts(3', 'wrong.mts(4', 'wrong.mts(5'],
    ]);
  });
});

describe('the Python client', () => {
  const missing = whyNoPython();
  const leaveOut = test['skip'];
  if (missing !== null) {
    process.stderr.write(`The Python client was NOT RUN: ${missing}.\n`);
    leaveOut(`pays, from an installed wheel ${NO_PYTHON}`, () => undefined);
  } else {
    test('pays, from an installed wheel', async () => {
      const site = join(folder, 'python');
      const words = ['tools/clients/pack-python.mjs', folder];
      const wheel = execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' }).trim();
      installWheel(wheel, site);
      expect(readdirSync(site).sort()).toEqual(['payout_gateway', 'payout_gateway_client-1.2.0.dist-info']);
      expect(readdirSync(join(site, 'payout_gateway'))).toContain('py.typed');
      const program = join(ROOT, 'clients/python/examples/integration.py');
      await expectTheMainWay('python3', ['-B', '-W', 'error', program], folder, { PYTHONPATH: site });
    });
  }
});

/** By pip; a Debian without it has Python alone, and a wheel is what a zip file holds. */
function installWheel(wheel: string, site: string): void {
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--no-compile', '--target', site, wheel];
  const unpacked = ['-m', 'zipfile', '-e', wheel, site];
  const hasPip = (): boolean => {
    try {
      execFileSync('python3', ['-m', 'pip', '--version'], { stdio: 'pipe' });
      return true;
    } catch {
      return false;
    }
  };
  execFileSync('python3', hasPip() ? pip : unpacked, { stdio: 'pipe' });
}

test('the version of the packages is that of the contract', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const { info } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { info: { version: string } };
  expect(version).toBe(info.version);
  expect(readFileSync(join(ROOT, 'clients/python/pyproject.toml'), 'utf8')).toContain(`\nversion = "${version}"\n`);
  const guide = readFileSync(join(ROOT, 'docs/integrate.md'), 'utf8');
  expect(guide).toContain(`payout-gateway-client-${version}.tgz`);
  expect(guide).toContain(`payout_gateway_client-${version}-py3-none-any.whl`);
});
