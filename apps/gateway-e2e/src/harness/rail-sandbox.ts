/** The simulated providers as a process of their own, and the shipped gateway that pays through them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, HANGS_MS, type Json, send } from './api';
import { newDatabase } from './database';
import { freePort } from './free-port';
import { GatewayProcess } from './gateway-process';
import { ROOT } from './root';

const MAIN = 'dist/apps/rail-sandbox/src/main.js';

export class RailSandbox {
  private constructor(
    private readonly child: ChildProcess,
    private readonly adminUrl: string,
  ) {}

  /** `gateway`: whom it tells what happens. */
  static async start(gateway: string): Promise<RailSandbox> {
    const books = mkdtempSync(join(tmpdir(), 'gw-sandbox-'));
    const settings = ['--port', '0', '--processing-ms', '0', '--books', books, '--gateway', gateway];
    const child = spawn(process.execPath, ['--enable-source-maps', MAIN, ...settings], { cwd: ROOT, stdio: 'pipe' });
    return new RailSandbox(child, await adminUrlOf(child));
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }

  /** As people at the provider do. */
  async does(rail: string, deed: string, asked: Json = {}): Promise<void> {
    const { status, body } = await this.ask('POST', `/${rail}/${deed}`, asked);
    if (status !== 204) throw new Error(`${deed} did not happen: ${JSON.stringify(body)}`);
  }

  fault(rail: string, fault: Json): Promise<void> {
    return this.does(rail, 'faults', fault);
  }

  async faults(rail: string): Promise<Json[]> {
    return (await this.ask('GET', `/${rail}/faults`)).body;
  }

  /** Those that still wait strike no more. */
  async forgetFaults(rail: string): Promise<void> {
    await this.ask('DELETE', `/${rail}/faults`);
  }

  async books(rail: string): Promise<Json> {
    return (await this.ask('GET', `/${rail}`)).body;
  }

  async timePasses(advanceSeconds: number): Promise<void> {
    await this.ask('POST', '/clock', { advanceSeconds });
  }

  /** For the gateway. */
  async settings(): Promise<Record<string, string>> {
    const { body } = await this.ask('GET', '/');
    return Object.assign({}, ...(body.providers as Json[]).map(({ settings }) => settings)) as Record<string, string>;
  }

  private ask(method: string, path: string, body?: Json): Promise<Answer> {
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return send(this.adminUrl + path, method, headers, body === undefined ? undefined : JSON.stringify(body));
  }
}

export interface RailService {
  sandbox: RailSandbox;
  gateway: GatewayProcess;
  databaseUrl: string;
}

/** From now on the suite's clients and operators speak to it. `more`: further settings of the gateway. */
export async function startRailService(more: Record<string, string> = {}): Promise<RailService> {
  const port = await freePort();
  const sandbox = await RailSandbox.start(`http://127.0.0.1:${port}`);
  const databaseUrl = await newDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-rails-'));
  // Whoever asks until it is so asks more often than a caller may.
  const env = { ...(await sandbox.settings()), RATE_LIMIT_PER_MINUTE: '1000000', ...more };
  const gateway = await GatewayProcess.start({ role: 'all', databaseUrl, dataDir, env }, port);
  const service = { sandbox, gateway, databaseUrl };
  speakTo(gateway, service);
  return service;
}

/** From now on the suite's clients and operators speak to this process of the service. */
export function speakTo({ url }: GatewayProcess, { gateway, databaseUrl }: RailService): void {
  const operatorToken = readFileSync(join(gateway.settings.dataDir, 'operator.token'), 'utf8').trim();
  process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [url], operatorToken, databaseUrl });
}

export async function stopRailService({ sandbox, gateway }: RailService): Promise<void> {
  await gateway.kill('SIGTERM');
  await sandbox.stop();
}

function adminUrlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`The sandbox did not start:\n${output}`)), HANGS_MS);
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, url] = /curl (http:\S+[0-9])\//.exec(output) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}:\n${output}`)));
  });
}
